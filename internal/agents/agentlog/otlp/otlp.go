// Package otlp reads the telemetry of coding agents: logs and traces of OpenTelemetry in
// OTLP/JSON, as collectors write them to files.
//
// Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding for the form,
// https://code.claude.com/docs/en/monitoring-usage for the events of Claude Code,
// https://github.com/openai/codex/tree/main/codex-rs/otel/src/events for those of Codex, and
// https://github.com/open-telemetry/semantic-conventions-genai for spans. Read in 2026.
package otlp

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the events of Claude Code and Codex, and spans that follow the conventions for
// generative AI, as those of Copilot do. Each line is one batch of any number of sessions.
var Reader = reader{record.Many{
	Format: "otlp",
	Begins: func(first record.First) bool {
		return first.Has("resourceLogs") || first.Has("resourceSpans") || first.Has("resourceMetrics")
	},
	Open: open,
}}

type reader struct{ record.Many }

// Claims implements [record.Reader]: a document is one batch.
func (r reader) Claims(first record.First) bool { return r.Begins(first) }

// attributes hold values as OTLP writes them: {"intValue": "7"}.
type attributes []attribute

type attribute struct {
	Key   string
	Value json.RawMessage
}

// text returns an attribute as a text; it is empty if there is none.
func (a attributes) text(keys ...string) string {
	for _, key := range keys {
		for i := range a {
			if a[i].Key == key {
				return valueOf(a[i].Value)
			}
		}
	}
	return ""
}

// valueOf returns the text of a value that is no list.
func valueOf(raw []byte) (value string) {
	s := jsonscan.New(raw)
	if s.Peek() != '{' {
		return ""
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "stringValue":
			value = record.Valid(s.TextOrNil())
		case "intValue", "doubleValue", "boolValue":
			value = strings.Trim(string(s.Skip()), `"`)
		}
	})
	return value
}

// logRecord is an event.
type logRecord struct {
	TimeUnixNano         json.RawMessage
	ObservedTimeUnixNano json.RawMessage
	EventName            string
	Body                 json.RawMessage
	SpanID               string
	Attributes           attributes
}

// span is an operation with a beginning and an end.
type span struct {
	TraceID           string
	SpanID            string
	StartTimeUnixNano json.RawMessage
	EndTimeUnixNano   json.RawMessage
	Status            struct{ Code any }
	Attributes        attributes
}

// nanoseconds returns a time; zero for none.
func nanoseconds(raw []byte) time.Time {
	n, known, ok := jsonscan.Count(raw)
	if !known || !ok || n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// parser reads the batches of a file.
type parser struct {
	file     *record.File
	sessions map[string]*conversation
	order    []*conversation
	// waiting are spans that name no session; another span of their trace may.
	waiting []waitingSpan
	traces  map[string]*conversation
}

type waitingSpan struct {
	span
	agent string
	line  int
	id    string
}

func open(f *record.File) (read func(batch []byte, line int) bool, finish func()) {
	p := newParser(f)
	return p.read, p.finish
}

func newParser(f *record.File) *parser {
	return &parser{file: f, sessions: map[string]*conversation{}, traces: map[string]*conversation{}}
}

// read reads a batch.
func (p *parser) read(text []byte, line int) bool {
	b, ok := readBatch(text)
	if !ok {
		return false
	}
	if b.wrong {
		p.file.Log.Note(fact.WrongType, line, "a batch that is not OTLP/JSON", true)
		return true
	}
	for _, r := range b.resources {
		for _, raw := range r.logRecords {
			var l logRecord
			if json.Unmarshal(raw, &l) != nil {
				p.file.Log.Note(fact.WrongType, line, "a log record that is not OTLP/JSON", true)
				continue
			}
			p.addEvent(&l, r.attributes, record.TextID(raw), line)
		}
	}
	for _, r := range b.resources {
		for _, raw := range r.spans {
			var s span
			if json.Unmarshal(raw, &s) != nil {
				p.file.Log.Note(fact.WrongType, line, "a span that is not OTLP/JSON", true)
				continue
			}
			p.addSpan(waitingSpan{s, agentOf(r.attributes, s.Attributes), line, cmp.Or(s.SpanID, record.TextID(raw))})
		}
	}
	return true
}

// conversation returns the session of an agent with an id.
func (p *parser) conversation(agent, id string) *conversation {
	name := agent + " " + id
	c := p.sessions[name]
	if c == nil {
		c = &conversation{Log: p.file.Session(name), calls: map[string]*call{}, tokens: map[string]*usage{}}
		c.ID, c.Agent = id, agent
		p.sessions[name] = c
		p.order = append(p.order, c)
	}
	return c
}

// finish adds the calls and tokens of each session.
func (p *parser) finish() {
	for _, s := range p.waiting {
		c := p.traces[s.TraceID]
		if c == nil {
			c = p.conversation(s.agent, cmp.Or(s.TraceID, "unknown"))
		}
		c.addSpan(&s)
	}
	for _, c := range p.order {
		c.finish()
	}
	if len(p.order) == 0 {
		p.file.Log.Note(fact.Unrecognised, 1, "no event of a coding agent is in this telemetry", true)
	}
}
