package copilot

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// row is an event.
type row struct {
	jsonscan.Scanner

	at                           time.Time
	kind, id                     []byte
	session, cwd, branch, source []byte
	output                       *int64 // tokens of an answer
	wrong                        string // a field whose value is not a count
	requests                     []request
	call                         request
	subagent                     bool
	success, failureCode         []byte
	text                         []byte // of a result, as written
	models                       []model
	hasMetrics                   bool
}

// request is a call of a tool.
type request struct {
	id, name, input []byte
	mcp             bool
}

// model holds the tokens that the calls of a model used.
type model struct {
	name   string
	tokens fact.TokenCount
}

func (r *row) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind = r.TextOrNil()
	case "id":
		r.id = r.TextOrNil()
	case "timestamp":
		r.at = record.Instant(r.TextOrNil())
	case "agentId":
		r.subagent = string(r.Skip()) != "null" || r.subagent
	case "data":
		if r.Peek() == '{' {
			r.Object(r.data)
		}
	}
}

func (r *row) data(key []byte) {
	switch string(key) {
	case "sessionId":
		r.session = r.TextOrNil()
	case "source":
		r.source = r.TextOrNil()
	case "context":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				switch string(key) {
				case "cwd":
					r.cwd = r.TextOrNil()
				case "branch":
					r.branch = r.TextOrNil()
				}
			})
		}
	case "outputTokens":
		r.output = r.count(key)
	case "toolRequests":
		if r.Peek() == '[' {
			r.Array(func() {
				if r.Peek() == '{' {
					var q request
					r.Object(func(key []byte) { r.request(&q, key) })
					r.requests = append(r.requests, q)
				}
			})
		}
	case "parentToolCallId":
		r.subagent = string(r.Skip()) != "null" || r.subagent
	case "success":
		r.success = r.Skip()
	case "result":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				if string(key) == "content" {
					r.text = r.FirstText()
				}
			})
		}
	case "error":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				if string(key) == "code" {
					r.failureCode = r.TextOrNil()
				}
			})
		}
	case "modelMetrics":
		if r.Peek() == '{' {
			r.hasMetrics = true
			r.Object(r.metrics)
		}
	default:
		r.request(&r.call, key)
	}
}

// request reads a member of a call. Its names in an answer differ from those in events.
func (r *row) request(q *request, key []byte) {
	switch string(key) {
	case "toolCallId":
		q.id = r.TextOrNil()
	case "name", "toolName":
		q.name = r.TextOrNil()
	case "arguments":
		if q.input = r.Skip(); len(q.input) > 0 && q.input[0] == '"' { // JSON in JSON, or a patch
			s := jsonscan.New(q.input)
			q.input = s.TextOrNil()
		}
	case "mcpServerName":
		q.mcp = string(r.Skip()) != "null"
	}
}

func (r *row) count(key []byte) (n *int64) {
	if !r.CountInto(&n) {
		r.wrong = string(key)
	}
	return n
}

// metrics reads the sums of a model. Its input includes what was read from the cache and
// written to it.
func (r *row) metrics(name []byte) {
	m := model{name: record.Valid(name)}
	if r.Peek() == '{' {
		r.Object(func(key []byte) {
			if string(key) != "usage" || r.Peek() != '{' {
				return
			}
			r.Object(func(key []byte) {
				switch string(key) {
				case "inputTokens":
					m.tokens.Input = r.count(key)
				case "outputTokens":
					m.tokens.Output = r.count(key)
				case "cacheReadTokens":
					m.tokens.CacheRead = r.count(key)
				case "cacheWriteTokens":
					m.tokens.CacheWrite = r.count(key)
				}
			})
		})
	}
	if m.tokens.Input != nil {
		input := *m.tokens.Input
		for _, cached := range []*int64{m.tokens.CacheRead, m.tokens.CacheWrite} {
			if cached != nil {
				input -= *cached
			}
		}
		input = max(input, 0)
		m.tokens.Input = &input
	}
	r.models = append(r.models, m)
}
