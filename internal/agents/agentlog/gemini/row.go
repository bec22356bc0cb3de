package gemini

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// row is a line of a log: the header, a message, changes to the header, or a rewind.
type row struct {
	jsonscan.Scanner

	message

	session, project, kind []byte
	updated                time.Time
	started                time.Time
	directories            [][]byte
	messages               []message // of a whole conversation
	isSet, isRewind        bool
}

// message is a prompt or an answer, which is one call of the model.
type message struct {
	id, kind []byte
	at       time.Time
	texts    [][]byte // of a prompt
	model    []byte
	stated   bool // the tokens are recorded
	tokens   usage
	calls    []call
}

// usage holds the tokens of an answer as Gemini counts them: input includes what was read
// from the cache, and thoughts are no output.
type usage struct {
	input, output, cached, thoughts, tool *int64
	wrong                                 string // a field whose value is not a count
}

// call is a tool call of an answer.
type call struct {
	id, name, status, args, display []byte
	at                              time.Time
	text                            []byte // of its result, as written
}

// read reads a whole row.
func (r *row) read() { r.Object(r.member) }

func (r *row) member(key []byte) {
	switch string(key) {
	case "$set":
		r.isSet = true
		if r.Peek() == '{' {
			r.Object(r.header)
		}
	case "$rewindTo":
		r.isRewind = true
	case "sessionId", "projectHash", "startTime", "lastUpdated", "kind", "directories", "messages":
		r.header(key)
	default:
		r.ofMessage(&r.message, key)
	}
}

// header reads a member of the header, or of a change to it.
func (r *row) header(key []byte) {
	switch string(key) {
	case "sessionId":
		r.session = r.TextOrNil()
	case "projectHash":
		r.project = r.TextOrNil()
	case "startTime":
		r.started = record.Instant(r.TextOrNil())
	case "lastUpdated":
		r.updated = record.Instant(r.TextOrNil())
	case "kind":
		r.kind = r.TextOrNil()
	case "directories":
		if r.Peek() == '[' {
			r.Array(func() { r.directories = append(r.directories, r.TextOrNil()) })
		}
	case "messages":
		if r.Peek() == '[' {
			r.Array(func() {
				m := message{}
				if r.Peek() == '{' {
					r.Object(func(key []byte) { r.ofMessage(&m, key) })
				}
				r.messages = append(r.messages, m)
			})
		}
	}
}

func (r *row) ofMessage(m *message, key []byte) {
	switch string(key) {
	case "id":
		m.id = r.TextOrNil()
	case "type":
		m.kind = r.TextOrNil()
	case "timestamp":
		m.at = record.Instant(r.TextOrNil())
	case "content":
		m.texts = r.content()
	case "model":
		m.model = r.TextOrNil()
	case "tokens":
		if r.Peek() == '{' {
			m.stated = true
			r.Object(func(key []byte) { r.count(&m.tokens, key) })
		}
	case "toolCalls":
		if r.Peek() == '[' {
			r.Array(func() {
				c := call{}
				if r.Peek() == '{' {
					r.Object(func(key []byte) { r.ofCall(&c, key) })
				}
				m.calls = append(m.calls, c)
			})
		}
	}
}

// content reads the texts of a message: the text itself, or those of its parts.
func (r *row) content() (texts [][]byte) {
	part := func() {
		switch r.Peek() {
		case '"':
			texts = append(texts, r.TextOrNil())
		case '{':
			r.Object(func(key []byte) {
				if string(key) == "text" {
					texts = append(texts, r.TextOrNil())
				}
			})
		}
	}
	if r.Peek() == '[' {
		r.Array(part)
	} else {
		part()
	}
	return texts
}

func (r *row) count(u *usage, key []byte) {
	field := map[string]**int64{"input": &u.input, "output": &u.output, "cached": &u.cached, "thoughts": &u.thoughts, "tool": &u.tool}[string(key)]
	if field != nil && !r.CountInto(field) {
		u.wrong = string(key)
	}
}

func (r *row) ofCall(c *call, key []byte) {
	switch string(key) {
	case "id":
		c.id = r.TextOrNil()
	case "name":
		c.name = r.TextOrNil()
	case "status":
		c.status = r.TextOrNil()
	case "timestamp":
		c.at = record.Instant(r.TextOrNil())
	case "displayName":
		c.display = r.TextOrNil()
	case "args":
		c.args = r.Skip()
	case "result":
		if r.Peek() == '[' {
			r.Array(func() { r.result(c) })
		}
	}
}

// result reads the text of a part of a result: functionResponse.response.output or .error.
func (r *row) result(c *call) {
	if r.Peek() != '{' {
		return
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "functionResponse", "response":
			r.result(c)
		case "output", "error":
			if r.Peek() == '"' {
				c.text = r.Raw()
			}
		}
	})
}

// neutral returns the tokens of an answer. Those of prompts that tools added are input that
// no cache held. Gemini does not count what it writes to the cache.
func (u *usage) neutral() fact.TokenCount {
	var none int64
	t := fact.TokenCount{CacheRead: u.cached, CacheWrite: &none}
	if u.input != nil {
		t.Input = sum(u.input, u.tool)
		if u.cached != nil {
			*t.Input = max(*t.Input-*u.cached, 0)
		}
	}
	if u.output != nil {
		t.Output = sum(u.output, u.thoughts)
	}
	return t
}

// sum adds counts; a count that is not stated is 0.
func sum(counts ...*int64) *int64 {
	var tokens []session.Tokens
	for _, n := range counts {
		if n != nil {
			tokens = append(tokens, session.Tokens{TokenCount: fact.TokenCount{Output: n}})
		}
	}
	n := *session.Sum(tokens).Output
	return &n
}
