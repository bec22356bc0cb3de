package cline

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// parser reads the document with the messages of a conversation.
type parser struct {
	*record.Log
	jsonscan.Scanner

	child bool
	kinds map[record.NthCall]fact.Kind // of calls
}

func (p *parser) document() {
	p.kinds = map[record.NthCall]fact.Kind{}
	listed := false
	p.Object(func(key []byte) {
		switch string(key) {
		case "version":
			if version := p.Skip(); string(version) != "1" {
				p.Note(fact.UnknownType, 1, "the version "+record.Quote(version)+" of the messages is not known", true)
			}
		case "sessionId":
			if id := record.Valid(p.TextOrNull()); id != "" {
				p.ID = id
			}
		case "messages":
			if listed = p.Peek() == '['; !listed {
				return
			}
			line := 1
			p.Array(func() {
				text := p.Skip()
				m := message{Scanner: jsonscan.New(text)}
				m.Object(m.member)
				if p.Row = text; m.AtEnd() {
					p.message(&m, line)
				}
				line++
			})
		}
	})
	if !listed {
		p.Note(fact.WrongType, 1, "a document without a list of messages", true)
	}
	if p.Mistyped {
		p.Note(fact.WrongType, 1, "a value of the document has another type", true)
	}
}

// notWritten are the beginnings of texts in the user's name that Cline writes when a user goes on.
var notWritten = [][]byte{[]byte("[TASK RESUMPTION]"), []byte("The user approved switching to act mode.")}

// message adds what a message holds; line is its number.
func (p *parser) message(m *message, line int) {
	if m.Mistyped {
		p.Note(fact.WrongType, line, "a value of a message has another type", true)
	}
	id := record.Valid(m.id)
	if id == "" {
		id = p.RowID()
	}
	p.ExtendSpan(m.at)
	isUser := string(m.role) == "user"
	if !isUser && string(m.role) != "assistant" {
		p.UnknownRow(m.at, line, "messages with the role "+record.Quote(m.role)+" are not known")
		return
	}
	if m.delegated {
		p.Note(fact.Opaque, line, "the model's provider ran tools itself, whose calls are not read", true)
	}
	written := false
	for i := range m.blocks {
		b := &m.blocks[i]
		switch string(b.Kind) {
		case "text":
			text := bytes.TrimPrefix(b.Text, []byte(`<user_input mode="act">`))
			written = written || !slices.ContainsFunc(notWritten, func(beginning []byte) bool { return bytes.HasPrefix(text, beginning) })
		case "image", "media", "file":
			written = true
		case "tool_use":
			p.call(b, m, id, line)
		case "tool_result":
			p.result(b, m.at, line)
		case "thinking", "redacted_thinking":
		default:
			p.UnknownRow(m.at, line, "parts of messages of type "+record.Quote(b.Kind)+" are not known")
		}
	}
	switch {
	case isUser && written && !m.synthetic && !p.child:
		p.AddPromptOnce(session.Prompt{ID: id, At: m.at, Place: p.Place(line)})
	case !isUser:
		if m.used.wrong != "" {
			p.Note(fact.WrongTokens, line, m.used.wrong+" is not a count", true)
		}
		p.AddTokens(session.Tokens{CallID: id, At: m.at, Model: p.Intern(m.model), TokenCount: m.used.neutral(), Cost: m.used.cost, Sidechain: p.child, Place: p.Place(line)})
	}
}

// call adds a call. Several commands of one call are one line.
func (p *parser) call(b *record.Block, m *message, message string, line int) {
	c := session.ToolCall{ID: record.Valid(b.ID), Name: p.Intern(b.Name), At: m.at, Status: fact.Running, Sidechain: p.child, Place: p.Place(line)}
	_, known := profile.KindOf(c.Name)
	command, isWhole, files := "", true, []string(nil)
	switch c.Name {
	case "run_commands":
		command, isWhole = profile.ClineLine(b.Input)
	case "read_files":
		files = profile.ClineFiles(b.Input)
	}
	switch {
	case command != "":
		p.Classify(&c)
		if c.Command = command; !isWhole {
			p.Note(fact.WrongType, line, "a call of "+c.Name+" with something that is no command", true)
		}
	case files != nil:
		p.Classify(&c)
		for _, name := range files {
			c.Paths = append(c.Paths, record.Absolute(p.Cwd, name))
		}
	case !known && strings.Contains(c.Name, "__"):
		c.Kind = fact.MCP // SERVER__TOOL
	default:
		p.ReadInput(&c, b.Input, p.Cwd)
	}
	p.AddCall(c, message)
	p.kinds[p.LastCall(c.ID)] = c.Kind
}

// result adds how a call ended.
func (p *parser) result(b *record.Block, at time.Time, line int) {
	id := record.Valid(b.ID)
	if !p.HasCall(id) {
		p.Note(fact.UnknownType, line, "results of calls that the log does not have", true)
		return
	}
	nth, results := p.LastCall(id), profile.ClineResults(b.Content)
	r, text := record.Result{At: at}, []byte(nil)
	r.Status, r.Exit = profile.ClineOutcome(results)
	for _, of := range results {
		text = append(text, of.Text...)
	}
	switch kind := p.kinds[nth]; {
	case b.Failed && len(results) > 0 && strings.HasPrefix(results[0].Failure, "Tool "): // as in: Tool "x" was not approved
		r.Status = fact.Rejected
	case b.Failed:
		r.Status = fact.Error
	case r.Status == fact.Unknown && kind != fact.Command && kind != fact.FileEdit && len(results) < 2:
		r.Status = fact.OK // it need not state more
	case r.Status == fact.Unknown:
		p.Note(fact.WrongType, line, "the result of a call does not state its success", true)
	case r.Status == fact.OK && kind == fact.Command:
		r.Exit = new(int)
	}
	r.Made = p.MadeBy(nth, text)
	p.Results[nth] = r
	if p.IsStep(nth) {
		p.NoteAnswer(nth, text[:min(len(text), record.MaxAnswer)], at)
	}
}

// message is one of a conversation.
type message struct {
	jsonscan.Scanner

	id, role, model []byte
	at              time.Time
	blocks          []record.Block
	// synthetic is true if Cline wrote the message, and delegated if another agent called tools for it.
	synthetic, delegated bool
	used                 usage
}

func (m *message) member(key []byte) {
	switch string(key) {
	case "id":
		m.id = m.TextOrNull()
	case "role":
		m.role = m.TextOrNull()
	case "ts":
		m.at = record.Milliseconds(m.Skip())
	case "content":
		blocks, ok := record.Blocks(&m.Scanner)
		m.blocks, m.Mistyped = blocks, m.Mistyped || !ok
	case "modelInfo":
		m.Members(func(key string) {
			if key == "id" {
				m.model = m.TextOrNull()
			}
		})
	case "metadata":
		m.Members(func(key string) {
			switch key {
			case "displayRole", "kind":
				m.synthetic = len(m.TextOrNull()) > 0 || m.synthetic
			case "modelToolActivities":
				m.delegated = m.Peek() == '['
			}
		})
	case "metrics":
		m.used.present = true
		m.Members(func(key string) {
			field := map[string]**int64{
				"inputTokens": &m.used.prompt, "outputTokens": &m.used.output, "cacheReadTokens": &m.used.read, "cacheWriteTokens": &m.used.write,
			}[key]
			switch {
			case key == "cost":
				m.used.cost = money.StatedUSD(m.Skip())
			case field != nil && !m.CountInto(field):
				m.used.wrong = key
			}
		})
	}
}

// usage holds the tokens of an answer. The prompt includes what the cache had and what it got.
type usage struct {
	prompt, output, read, write *int64
	present                     bool
	wrong                       string
	cost                        *money.USD
}

// neutral returns the tokens of an answer. Zeros are of a provider that states none.
func (u *usage) neutral() (t fact.TokenCount) {
	if u.prompt != nil && u.output != nil && *u.prompt == 0 && *u.output == 0 {
		return t
	}
	t.Output, t.CacheRead, t.CacheWrite = u.output, u.read, u.write
	if u.prompt != nil && u.read != nil && u.write != nil {
		t.Input = new(max(*u.prompt-*u.read-*u.write, 0))
	}
	return t
}
