package claude

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Stream reads what Claude Code prints with --output-format stream-json, and claude-code-action writes to
// claude-execution-output.json: messages like those of its
// transcripts, without times. The tokens of an answer are those before it was complete; the result has the
// sums.
//
// Source: https://code.claude.com/docs/en/headless, and https://code.claude.com/docs/en/agent-sdk/typescript.
var Stream = record.Rows{
	Format: "claude-stream",
	Listed: true, // as claude-code-action writes them
	Uncounted: func(kind string) bool {
		return kind != "assistant" && kind != "user" && kind != "result" && (rowTypes[kind] || streamTypes[kind])
	},
	Begins: func(first record.First) bool {
		return first.Kind == "system" && first.Has("subtype", "session_id", "tools")
	},
	Open: func(l *record.Log) func([]byte, int) bool {
		c := newParser(l)
		c.stream, l.TokenSums = true, true
		return c.read
	},
}

// streamTypes are the types of rows that only the output has.
var streamTypes = record.Words(`result rate_limit_event stream_event tool_progress tool_use_summary auth_status prompt_suggestion keep_alive
	control_request control_response control_cancel_request`)

// modelUse holds what a session used of a model.
type modelUse struct {
	model  string
	tokens fact.TokenCount
	cost   *money.USD
	wrong  string
}

// modelUses reads the sums of a result.
func modelUses(s *jsonscan.Scanner) (uses []modelUse) {
	s.Object(func(name []byte) {
		u := modelUse{model: record.Valid(jsonscan.Unescape(name))}
		if s.Peek() != '{' {
			return
		}
		s.Object(func(key []byte) {
			field := map[string]**int64{
				"inputTokens": &u.tokens.Input, "outputTokens": &u.tokens.Output, "cacheReadInputTokens": &u.tokens.CacheRead, "cacheCreationInputTokens": &u.tokens.CacheWrite,
			}[string(key)]
			if string(key) == "costUSD" {
				u.cost = money.StatedUSD(s.Skip())
			}
			if field == nil {
				return
			}
			n, known, ok := jsonscan.Count(s.Skip())
			if known {
				*field = &n
			}
			if !ok {
				u.wrong, *field = string(key), nil
			}
		})
		uses = append(uses, u)
	})
	return uses
}

// result replaces the tokens of answers by the sums of the session.
func (c *parser) result(line int) {
	r := &c.row
	uses := r.models
	if uses == nil && r.cost != nil && len(c.Tokens) > 0 { // old versions state the sum of the costs only
		u := modelUse{model: c.Tokens[0].Model, tokens: session.Sum(c.Tokens), cost: r.cost}
		if slices.ContainsFunc(c.Tokens, func(t session.Tokens) bool { return t.Model != u.model }) {
			u.model = ""
		}
		uses = append(uses, u)
	}
	if uses == nil {
		return
	}
	c.DropTokens(0)
	for _, u := range uses {
		if u.wrong != "" {
			c.Note(fact.WrongTokens, line, u.wrong+" is not a count", true)
		}
		c.AddTokens(session.Tokens{CallID: "sum of " + c.ID + " " + u.model, At: r.at, TokenCount: u.tokens, Model: u.model, Cost: u.cost, Place: c.Place(line)})
	}
	if c.results[c.ID]++; c.results[c.ID] == 2 {
		c.Note(fact.WrongTokens, line, "a second result; whether it includes the tokens of the first is not known", true)
	}
}
