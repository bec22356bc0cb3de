package crush

import (
	"bytes"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// parser reads the messages of a session in the order in which they were written.
type parser struct {
	*record.Log

	child      bool // the session of a subagent
	startsAnew bool // see [store]
	last       time.Time
	open       map[string]*call // calls without a result so far, by their ids
	order      []*call
	failed     map[string]bool // the ids of calls that failed
}

// message is a row: a prompt, an answer, which is one call of the model, or the result of a call.
type message struct {
	id, role, model string
	at              time.Time
	line            int
	isSummary       bool

	asks   bool // it has a text that a person wrote, or a file
	holds  bool // it has a part that the model wrote
	reason string
}

// call is a call of a tool whose result is not read yet.
type call struct {
	session.ToolCall

	input   []byte
	message string
	row     []byte
	added   bool
}

// continued begins the prompt that Crush writes when it goes on after a summary.
var continued = []byte("The previous session was interrupted because it got too long, ")

func (p *parser) message(m *message, parts []byte) {
	p.Row = parts
	p.ExtendSpan(m.at)
	if m.at.After(p.last) {
		p.last = m.at
	}
	switch m.role {
	case "user", "assistant", "tool", "system":
	default:
		p.UnknownRow(m.at, m.line, "messages with the role "+record.Quote([]byte(m.role))+" are not known")
		return
	}
	s := jsonscan.New(parts)
	isList := s.Peek() == '['
	s.Array(func() { p.part(m, &s) })
	switch {
	case !isList || !s.AtEnd():
		p.Note(fact.Damaged, m.line, "messages whose parts are not a list in JSON", true)
	case s.Mistyped:
		p.Note(fact.WrongType, m.line, "a value of a message has another type", true)
	}
	switch {
	case m.role == "user" && m.asks && !p.child:
		p.AddPrompt(session.Prompt{ID: m.id, At: m.at, Place: p.Place(m.line)})
	case m.role == "assistant":
		p.answer(m)
	}
}

// answer adds a call of the model, whose tokens are unknown, unless the API refused it.
func (p *parser) answer(m *message) {
	if m.reason == "canceled" && !p.child {
		p.Interrupts = append(p.Interrupts, p.Incident(m.id, m.at, m.line))
	}
	if m.isSummary && !p.child {
		p.Compactions = append(p.Compactions, p.Incident(m.id, m.at, m.line))
	}
	p.UsedTokens = true
	if m.reason != "error" || m.holds {
		p.AddTokens(session.Tokens{CallID: m.id, At: m.at, Model: m.model, Sidechain: p.child, Place: p.Place(m.line)})
	}
}

// addCost adds what all calls of the model cost: the last states it, and the others are included.
func (p *parser) addCost(cost money.USD) {
	if len(p.Tokens) == 0 { // the title was made, but no answer
		p.AddTokens(session.Tokens{CallID: p.ID, At: p.last, Cost: &cost, Sidechain: p.child, Place: p.Place(0)})
		return
	}
	for i := range p.Tokens {
		p.Tokens[i].Included = true
	}
	last := &p.Tokens[len(p.Tokens)-1]
	last.Included, last.Cost = false, &cost
}

// part reads a part of a message: its type, and what it holds.
func (p *parser) part(m *message, s *jsonscan.Scanner) {
	var kind, data []byte
	if s.Peek() != '{' {
		s.Mistyped = true
	}
	s.Members(func(key string) {
		switch key {
		case "type":
			kind = s.TextOrNull()
		case "data":
			data = s.Skip()
		}
	})
	of := jsonscan.New(data)
	if of.Peek() != '{' {
		s.Mistyped = true
	}
	switch string(kind) {
	case "text":
		text := []byte(nil)
		of.Members(func(key string) {
			if key == "text" {
				text = of.TextOrNull()
			}
		})
		m.holds = true
		m.asks = m.asks || !bytes.HasPrefix(text, continued)
	case "image_url", "binary":
		m.asks, m.holds = true, true
	case "reasoning":
		m.holds = true
	case "finish":
		of.Members(func(key string) {
			if key == "reason" {
				m.reason = string(of.TextOrNull())
			}
		})
	case "tool_call":
		m.holds = true
		p.addCall(m, &of)
	case "tool_result":
		p.addResult(m, &of)
	case "shell_command": // which a person ran
	default:
		p.UnknownRow(m.at, m.line, "parts of type "+record.Quote(kind)+" are not known")
	}
	s.Mistyped = s.Mistyped || of.Mistyped
}

func (p *parser) addCall(m *message, s *jsonscan.Scanner) {
	c := &call{message: m.id, row: p.Row, ToolCall: session.ToolCall{At: m.at, Status: fact.Running, Sidechain: p.child, Place: p.Place(m.line)}}
	s.Members(func(key string) {
		switch key {
		case "id":
			c.ID = record.Valid(s.TextOrNull())
		case "name":
			c.Name = p.Intern(s.TextOrNull())
		case "input":
			c.input = s.TextOrNull()
		}
	})
	if c.ID == "" {
		p.complete(c, &result{})
		return
	}
	if before := p.open[c.ID]; before != nil { // a model that uses ids again
		p.complete(before, &result{})
	}
	p.open[c.ID] = c
	p.order = append(p.order, c)
}

func (p *parser) addResult(m *message, s *jsonscan.Scanner) {
	r := result{present: true, at: m.at}
	id := ""
	s.Members(func(key string) {
		switch key {
		case "tool_call_id":
			id = record.Valid(s.TextOrNull())
		case "content":
			r.text = s.TextOrNull()
		case "metadata":
			r.about(s.TextOrNull())
		case "is_error":
			r.isError = s.BoolOrNull()
		}
	})
	s.Mistyped = s.Mistyped || r.mistyped
	c := p.open[id]
	if c == nil {
		p.Note(fact.UnknownType, m.line, "results of calls that the log does not have", true)
		return
	}
	p.complete(c, &r)
}

// complete adds a call with its result.
func (p *parser) complete(c *call, r *result) {
	if c.added {
		return
	}
	c.added = true
	delete(p.open, c.ID)
	p.ExtendSpan(r.at)
	switch {
	case r.isUnrun():
		c.Kind = fact.Other
	case c.Name == "lsp_rename": // its input names a directory
		p.Classify(&c.ToolCall)
		if !r.isError {
			p.Note(fact.Opaque, c.Line, "a rename, whose files are not read", true)
		}
	default:
		p.ReadInput(&c.ToolCall, c.input, p.Cwd)
	}
	p.setCwd(c, r)
	if r.present {
		c.Status, c.ExitCode = r.outcome(c.Kind)
	}
	p.failed[c.ID] = r.isError
	row := p.Row
	p.Row = c.row
	p.AddCall(c.ToolCall, c.message)
	p.Row, c.row, c.input = row, nil, nil // the order of calls is kept to the end
	nth := p.LastCall(c.ID)
	if c.ID == "" || !r.present {
		return
	}
	p.Results[nth] = record.Result{Status: c.Status, Exit: c.ExitCode, At: r.at, Made: p.MadeBy(nth, r.text)}
	if c.Status == fact.OK && p.IsStep(nth) {
		p.NoteAnswer(nth, r.text[:min(len(r.text), record.MaxAnswer)], r.at)
	}
}

// setCwd sets the directory of the session: that of its first command that names none.
func (p *parser) setCwd(c *call, r *result) {
	if p.Cwd != "" || !p.startsAnew || r.dir == "" || c.Kind != fact.Command {
		return
	}
	s, elsewhere := jsonscan.New(c.input), false
	s.Members(func(key string) {
		if key == "working_dir" {
			elsewhere = len(s.TextOrNil()) > 0
		} else {
			s.Skip()
		}
	})
	if !elsewhere {
		p.Cwd = r.dir
	}
}

// finish adds the calls that have no result, and makes the paths of those before the first command absolute.
func (p *parser) finish() {
	for _, c := range p.order {
		p.complete(c, &result{})
	}
	for i := range p.Calls {
		for j, name := range p.Calls[i].Paths {
			p.Calls[i].Paths[j] = record.Absolute(p.Cwd, name)
		}
	}
}
