package otlp

import (
	"cmp"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// timeOf returns the time of an event. Some exporters leave the time to the collector.
func (l *logRecord) timeOf() time.Time {
	if at := nanoseconds(l.TimeUnixNano); !at.IsZero() {
		return at
	}
	if at := record.Instant([]byte(l.Attributes.text("event.timestamp"))); !at.IsZero() {
		return at
	}
	return nanoseconds(l.ObservedTimeUnixNano)
}

// addEvent adds an event of an agent. Those of other programs are left out.
func (p *parser) addEvent(l *logRecord, resource attributes, text string, line int) {
	name := nameOf(l, resource)
	prefix, _, _ := strings.Cut(name, ".")
	agent := agents().byPrefix[prefix]
	id := cmp.Or(l.Attributes.text("session.id", "conversation.id"), resource.text("session.id"))
	switch {
	case agent.name == "":
		return
	case id == "":
		p.file.Log.UnknownRow(l.timeOf(), line, "events that name no session")
		return
	}
	c := p.conversation(agent.name, id)
	at := l.timeOf()
	c.ExtendSpan(at)
	if cwd := resource.text("process.cwd", "cwd"); cwd != "" {
		c.Cwd = cmp.Or(c.Cwd, cwd)
	}
	place := c.Place(line)
	a := l.Attributes
	switch name {
	case "claude_code.user_prompt", "codex.user_prompt":
		c.AddPromptOnce(session.Prompt{ID: c.Stem + " " + text, At: at, Place: place})
	case "claude_code.api_request":
		c.use(usage{ids: []string{a.text("request_id"), l.SpanID}, text: text, log: true, Tokens: session.Tokens{At: at, Model: a.text("model"), Cost: money.StatedUSD([]byte(a.text("cost_usd"))), Place: place, TokenCount: fact.TokenCount{
			Input: c.count(a, line, "input_tokens"), Output: c.count(a, line, "output_tokens"),
			CacheRead: c.count(a, line, "cache_read_tokens"), CacheWrite: c.count(a, line, "cache_creation_tokens"),
		}}})
	case "codex.sse_event", "codex.websocket_event":
		if a.text("event.kind") == "response.completed" {
			c.codexTokens(a, text, at, line)
		}
	case "claude_code.tool_result", "codex.tool_result":
		c.result(a, agent, text, at, line)
	case "claude_code.tool_decision", "codex.tool_decision":
		c.decision(a, text, at, line)
	default:
		if !agent.uncounted[name] {
			c.UnknownRow(at, line, "events named "+record.Quote([]byte(name))+" are not known")
		}
	}
}

// codexTokens adds the tokens of an answer of the model. Its input includes what was read from
// the cache.
func (c *conversation) codexTokens(a attributes, text string, at time.Time, line int) {
	if a.text("input_token_count") == "" && a.text("error.message") == "" {
		return // the same event without tokens precedes the one with them
	}
	t := session.Tokens{At: at, Model: a.text("model"), Place: c.Place(line), TokenCount: fact.TokenCount{
		Input: c.count(a, line, "input_token_count"), Output: c.count(a, line, "output_token_count"), CacheRead: c.count(a, line, "cached_token_count"),
	}}
	t.Input = less(t.Input, t.CacheRead)
	c.use(usage{text: text, log: true, Tokens: t})
}

// less returns the uncached input.
func less(input *int64, cached ...*int64) *int64 {
	if input == nil {
		return nil
	}
	n := *input
	for _, part := range cached {
		if part != nil {
			n -= *part
		}
	}
	n = max(n, 0)
	return &n
}
