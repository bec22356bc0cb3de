package opencode

import (
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// parser reads the messages of a session, then their parts.
type parser struct {
	*record.Log

	child    bool // the session of a subagent
	messages map[string]*message
	order    []string // their ids
}

// message is a prompt, or an answer, which is one call of the model.
type message struct {
	place              fact.Place
	role               string
	created, completed time.Time
	model              string
	failure            string // the name of the error that ended it
	used               usage
	cwd                string
	// steps are the calls of the model that its parts record. Old versions of OpenCode made
	// several for one answer, and noted the tokens of the last.
	steps []step
	// texts and written count the texts of a prompt, and those that OpenCode did not add.
	texts, written int
	parts          int
}

type step struct {
	id    string
	used  usage
	place fact.Place
}

// usage holds the tokens of an answer.
type usage struct {
	present bool
	wrong   string // a field whose value is not a count
	tokens  fact.TokenCount
	cost    *money.USD
}

// isZero reports whether no token is recorded, as before an answer is complete.
func (u *usage) isZero() bool {
	for _, n := range u.tokens.Parts() {
		if *n != nil && **n != 0 {
			return false
		}
	}
	return true
}

func (u *usage) read(s *jsonscan.Scanner) {
	u.present = true
	count := func(key []byte, field **int64) {
		if !s.CountInto(field) {
			u.wrong = string(key)
		}
	}
	var reasoning *int64
	s.Object(func(key []byte) {
		switch string(key) {
		case "input":
			count(key, &u.tokens.Input)
		case "output":
			count(key, &u.tokens.Output)
		case "reasoning":
			count(key, &reasoning)
		case "cache":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					switch string(key) {
					case "read":
						count(key, &u.tokens.CacheRead)
					case "write":
						count(key, &u.tokens.CacheWrite)
					}
				})
			}
		}
	})
	if reasoning != nil && u.tokens.Output != nil { // OpenCode counts reasoning apart
		sum := session.Sum([]session.Tokens{{TokenCount: fact.TokenCount{Output: reasoning}}, {TokenCount: fact.TokenCount{Output: u.tokens.Output}}})
		u.tokens.Output = sum.Output
	}
}

const notJSON = "rows whose data are not JSON objects"

func (p *parser) addMessage(id string, data []byte, line int) {
	m := &message{place: p.Place(line)}
	s := jsonscan.New(data)
	s.Object(func(key []byte) {
		switch string(key) {
		case "role":
			m.role = p.Intern(s.TextOrNil())
		case "tokens":
			if s.Peek() == '{' {
				m.used.read(&s)
			}
		case "cost":
			m.used.cost = money.StatedUSD(s.Skip())
		case "time":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					switch string(key) {
					case "created":
						m.created = record.Milliseconds(s.Skip())
					case "completed":
						m.completed = record.Milliseconds(s.Skip())
					}
				})
			}
		case "modelID":
			m.model = p.Intern(s.TextOrNil())
		case "error":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					if string(key) == "name" {
						m.failure = p.Intern(s.TextOrNil())
					}
				})
			}
		case "path":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					if string(key) == "cwd" {
						m.cwd = p.Intern(s.TextOrNil())
					}
				})
			}
		}
	})
	if !s.AtEnd() {
		p.Note(fact.Damaged, line, notJSON, true)
		return
	}
	p.ExtendSpan(m.created)
	p.ExtendSpan(m.completed)
	if m.role != "user" && m.role != "assistant" {
		p.UnknownRow(m.created, line, "messages with the role "+record.Quote([]byte(m.role))+" are not known")
		return
	}
	if p.messages[id] == nil {
		p.order = append(p.order, id)
	}
	p.messages[id] = m
}

// finish adds the prompts and the tokens of all messages.
func (p *parser) finish() {
	for _, id := range p.order {
		m := p.messages[id]
		if m.parts == 0 && m.failure == "" && (m.role == "user" || !m.completed.IsZero() || !m.used.isZero()) {
			p.Note(fact.Damaged, m.place.Line, "messages whose parts are missing", true)
		}
		if m.role == "assistant" {
			p.addTokens(id, m)
			continue
		}
		if !p.child && (m.texts == 0 || m.written > 0) {
			p.AddPrompt(session.Prompt{ID: id, At: m.created, Place: m.place})
		}
	}
}

// addTokens adds the calls of the model of one answer. One that did not end, or that the
// user stopped, used tokens that are not recorded.
func (p *parser) addTokens(id string, m *message) {
	if m.failure == "MessageAbortedError" && !p.child {
		p.Interrupts = append(p.Interrupts, session.Incident{ID: id, At: m.created, Place: m.place})
	}
	calls := m.steps
	unrecorded := !m.used.present || m.used.isZero()
	switch {
	case len(calls) > 1 || len(calls) == 1 && unrecorded:
	case unrecorded && m.failure != "" && m.failure != "MessageAbortedError":
		return // the API refused the call
	case unrecorded && (m.completed.IsZero() || m.failure != ""):
		calls = []step{{place: m.place}}
	default:
		calls = []step{{used: m.used, place: m.place}}
	}
	for i, c := range calls {
		if c.used.wrong != "" {
			p.Note(fact.WrongTokens, c.place.Line, c.used.wrong+" is not a count", true)
		}
		call := id
		if i > 0 {
			call += " step " + strconv.Itoa(i+1)
		}
		p.AddTokens(session.Tokens{CallID: call, At: m.created, TokenCount: c.used.tokens, Cost: c.used.cost, Model: m.model, Sidechain: p.child, Place: c.place})
	}
}

// harmless are the parts of messages that hold nothing that is counted.
var harmless = record.Words("reasoning step-start file snapshot patch agent subtask retry compaction")

func (m *message) hasStep(id string) bool {
	return slices.ContainsFunc(m.steps, func(s step) bool { return s.id == id })
}
