package qwen

import (
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// row is a line of a chat.
type row struct {
	jsonscan.Scanner

	id, session, kind, subtype, provenance, cwd, branch, model []byte
	at                                                         time.Time
	calls                                                      []call
	results                                                    []result
	tokens                                                     usage
	status, errorType                                          []byte // of a result
	exit                                                       *int
	wrong                                                      bool // a value has another type
}

type call struct{ id, name, args []byte }

// result is the answer of a tool, as written.
type result struct {
	id, name, text []byte
	failed         bool
}

// usage holds the tokens of an answer. The prompt includes what was read from the cache.
type usage struct {
	prompt, cached, output, all *int64
	wrong                       string
}

// neutral returns the tokens of an answer. What is in neither the prompt nor the answer are thoughts, which are output.
func (u *usage) neutral() fact.TokenCount {
	t := fact.TokenCount{CacheRead: u.cached, Output: u.output}
	if u.prompt != nil && u.cached != nil {
		t.Input, t.CacheWrite = new(max(*u.prompt-*u.cached, 0)), new(int64)
	}
	if u.prompt != nil && u.all != nil && u.output != nil {
		t.Output = new(max(*u.all-*u.prompt, *u.output))
	}
	return t
}

// text reads a text; any other value but null is noted.
func (r *row) text() []byte {
	next := r.Peek()
	r.wrong = r.wrong || next != '"' && next != 'n'
	return r.TextOrNil()
}

func (r *row) member(key []byte) {
	field := map[string]*[]byte{
		"uuid": &r.id, "sessionId": &r.session, "type": &r.kind, "subtype": &r.subtype, "provenance": &r.provenance, "cwd": &r.cwd, "gitBranch": &r.branch, "model": &r.model,
	}[string(key)]
	switch {
	case field != nil:
		*field = r.text()
	case string(key) == "timestamp":
		r.at = record.Instant(r.text())
	case string(key) == "message":
		r.Members(func(key string) {
			if key == "parts" && r.Peek() == '[' {
				r.Array(func() { r.Members(r.part) })
			}
		})
	case string(key) == "usageMetadata":
		r.Members(r.count)
	case string(key) == "toolCallResult":
		r.Members(r.outcome)
	}
}

func (r *row) part(key string) {
	switch key {
	case "functionCall":
		c := call{}
		r.Members(func(key string) {
			switch key {
			case "id":
				c.id = r.text()
			case "name":
				c.name = r.text()
			case "args":
				c.args = r.Skip()
			}
		})
		r.calls = append(r.calls, c)
	case "functionResponse":
		of := result{}
		r.Members(func(key string) {
			switch key {
			case "id":
				of.id = r.text()
			case "name":
				of.name = r.text()
			case "response":
				r.Members(func(key string) {
					if (key == "output" || key == "error") && r.Peek() == '"' {
						of.text, of.failed = r.Raw(), key == "error"
					}
				})
			}
		})
		r.results = append(r.results, of)
	}
}

func (r *row) outcome(key string) {
	switch key {
	case "status":
		r.status = r.text()
	case "errorType":
		r.errorType = r.text()
	case "resultDisplay":
		r.Members(func(key string) {
			if key != "exitCode" {
				return
			}
			text := string(r.Skip())
			if code, err := strconv.Atoi(text); err == nil {
				r.exit = &code
			} else if text != "null" {
				r.wrong = true
			}
		})
	}
}

func (r *row) count(key string) {
	field := map[string]**int64{
		"promptTokenCount": &r.tokens.prompt, "cachedContentTokenCount": &r.tokens.cached, "candidatesTokenCount": &r.tokens.output, "totalTokenCount": &r.tokens.all,
	}[key]
	if field != nil && !r.CountInto(field) {
		r.tokens.wrong = key
	}
}
