package clinetasks

import (
	"cmp"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// parser reads the files of a task, and then joins them.
type parser struct {
	*record.Log

	files    map[string]string // their names, by what they are
	messages []message
	shown    []shown

	requests []session.Tokens
	sent     []sentTo
	began    map[int]time.Time // the times of requests, by the index of the message before them
}

// sentTo is a model to which a message was sent.
type sentTo struct {
	at    time.Time
	model []byte
}

// finish adds what the files hold together.
func (p *parser) finish() {
	p.RecordsTokens = true
	for i := range p.messages {
		m := &p.messages[i]
		if string(m.role) != "user" {
			continue
		}
		dir, model := m.environment()
		p.Cwd = cmp.Or(p.Cwd, record.Valid(dir))
		if len(model) > 0 {
			p.sent = append(p.sent, sentTo{m.at, model})
		}
	}
	if p.Agent == "" { // the task is not where an editor keeps it
		if p.Agent = "cline"; len(p.sent) > 0 {
			p.Agent = "roo"
		}
	}
	p.began = map[int]time.Time{}
	for i := range p.shown {
		if r := &p.shown[i]; r.index != nil && string(r.say) == "api_req_started" {
			p.began[*r.index] = r.at
		}
	}
	p.rows()
	p.calls()
}

// timeOf returns when a message was written; of those without a time, when the request began that sent or returned it.
func (p *parser) timeOf(i int) time.Time {
	switch m := &p.messages[i]; {
	case !m.at.IsZero():
		return m.at
	case string(m.role) == "user":
		return p.began[i-1]
	}
	return p.began[i-2]
}

// calls adds the calls of the conversation and their results.
func (p *parser) calls() {
	isNative := false
	for i := range p.messages {
		for _, b := range p.messages[i].blocks {
			isNative = isNative || string(b.Kind) == "tool_use"
		}
	}
	var pending []*called // of the last answer
	for i := range p.messages {
		m := &p.messages[i]
		p.Row = m.row
		switch {
		case m.isSummary && !m.hasID:
			p.Note(fact.Elided, i+1, "messages that were replaced by a summary, whose calls are gone from the task", true)
		case m.made:
		case string(m.role) == "assistant":
			pending = p.answer(i, isNative)
		case string(m.role) == "user":
			p.results(i, pending)
			pending = nil
		}
	}
}
