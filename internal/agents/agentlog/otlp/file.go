package otlp

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// File reads the file that Copilot's command line and its extension for VS Code write telemetry to, if
// COPILOT_OTEL_FILE_EXPORTER_PATH or github.copilot.chat.otel.outfile names one. A line is a span, a log record or a
// metric as the SDK of OpenTelemetry for JavaScript has it, and not in OTLP. Log records and metrics repeat spans.
//
// Source: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference#opentelemetry-monitoring,
// docs/monitoring/agent_monitoring.md and src/platform/otel/node/fileExporters.ts of https://github.com/microsoft/vscode-copilot-chat,
// and a file of Copilot CLI 1.0.102.
var File = record.Many{
	Format: "copilot-otel",
	Begins: func(first record.First) bool { return isSpan(first) || isRepeated(first) },
	Open: func(f *record.File) (read func(row []byte, line int) bool, finish func()) {
		p := newParser(f)
		return p.readLine, p.finish
	},
}

func isSpan(first record.First) bool {
	return first.Has("traceId", "spanId", "startTime", "attributes")
}

// isRepeated reports whether a line is a log record or a metric.
func isRepeated(first record.First) bool {
	return first.Kind == "metric" && first.Has("name", "dataPoints") || first.Has("resource", "scopeMetrics") ||
		first.Has("hrTime", "resource", "instrumentationScope")
}

// fileSpan is a span whose times are seconds and nanoseconds, and whose attributes are members.
type fileSpan struct {
	TraceID, SpanID    string
	StartTime, EndTime []int64
	Status             struct{ Code any }
	Attributes         map[string]json.RawMessage
	Resource           struct{ Attributes map[string]json.RawMessage }
}

func (p *parser) readLine(text []byte, line int) bool {
	first := record.ReadObject(text)
	switch {
	case !first.JSON:
		return false
	case isRepeated(first):
		return true
	case !isSpan(first):
		p.file.Log.Note(fact.UnknownType, line, "lines that are no span, log record or metric", true)
		return true
	}
	var f fileSpan
	if json.Unmarshal(text, &f) != nil {
		p.file.Log.Note(fact.WrongType, line, "a span of another form", true)
		return true
	}
	s := span{
		TraceID: f.TraceID, SpanID: f.SpanID, Status: f.Status, Attributes: listed(f.Attributes),
		StartTimeUnixNano: unixNano(f.StartTime), EndTimeUnixNano: unixNano(f.EndTime),
	}
	p.addSpan(waitingSpan{s, agentOf(listed(f.Resource.Attributes), s.Attributes), line, cmp.Or(s.SpanID, record.TextID(text))})
	return true
}

// listed returns members as OTLP writes attributes.
func listed(members map[string]json.RawMessage) attributes {
	var list attributes
	for key, value := range members {
		kind := "intValue" // or another that is no text
		if len(value) > 0 && value[0] == '"' {
			kind = "stringValue"
		}
		list = append(list, attribute{key, []byte(`{"` + kind + `":` + string(value) + `}`)})
	}
	return list
}

// unixNano returns a time in seconds and nanoseconds as OTLP writes it; "0": it is not recorded.
func unixNano(at []int64) []byte {
	const second = 1_000_000_000
	if len(at) != 2 || at[0] < 0 || at[0] > math.MaxInt64/second-1 || at[1] < 0 || at[1] >= second {
		return []byte("0")
	}
	return strconv.AppendInt(nil, at[0]*second+at[1], 10)
}
