package qwen

import (
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

func (r *row) member(key []byte) {
	field := map[string]*[]byte{
		"uuid": &r.id, "sessionId": &r.session, "type": &r.kind, "subtype": &r.subtype, "provenance": &r.provenance, "cwd": &r.cwd, "gitBranch": &r.branch, "model": &r.model,
	}[string(key)]
	switch {
	case field != nil:
		*field = r.TextOrNull()
	case string(key) == "timestamp":
		r.at = record.Instant(r.TextOrNull())
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
				c.id = r.TextOrNull()
			case "name":
				c.name = r.TextOrNull()
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
				of.id = r.TextOrNull()
			case "name":
				of.name = r.TextOrNull()
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
		r.status = r.TextOrNull()
	case "errorType":
		r.errorType = r.TextOrNull()
	case "resultDisplay":
		r.Members(func(key string) {
			if key == "exitCode" {
				r.exit = r.IntOrNull()
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
