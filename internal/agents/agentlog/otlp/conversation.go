package otlp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// conversation is a session in the making.
type conversation struct {
	*record.Log

	calls  map[string]*call
	tokens map[string]*usage
	called []*call
	used   []*usage
}

// call is a call of a tool, from events, spans or both.
type call struct {
	session.ToolCall

	key              string
	log, span, ended bool
	rejected         bool
}

// usage is a call of the model's API, from an event, a span or both.
type usage struct {
	session.Tokens

	ids       []string
	text      string // identifies the record
	log, span bool
}

// count returns a number of tokens, nil if it is not recorded.
func (c *conversation) count(a attributes, line int, keys ...string) *int64 {
	text := a.text(keys...)
	if text == "" {
		return nil
	}
	n, known, ok := jsonscan.Count([]byte(text))
	if !ok {
		c.Note(fact.WrongTokens, line, keys[0]+" is not a count", true)
	}
	if !known || !ok {
		return nil
	}
	return &n
}

// use adds a call of the model, once by any of its ids.
func (c *conversation) use(u usage) {
	for _, id := range append(u.ids, u.text) {
		if known := c.tokens[id]; known != nil && id != "" {
			record.MergeTokens(&known.Tokens, u.Tokens)
			known.log, known.span = known.log || u.log, known.span || u.span
			return
		}
	}
	for _, id := range append(u.ids, u.text) {
		if id != "" {
			c.tokens[id] = &u
		}
	}
	c.used = append(c.used, &u)
}

// callOf returns the call with an id, or of a record.
func (c *conversation) callOf(id, text string, at time.Time, line int) *call {
	key := cmp.Or(id, text)
	k := c.calls[key]
	if k == nil {
		k = &call{key: key, ToolCall: session.ToolCall{ID: id, At: at, Status: fact.Running, Place: c.Place(line)}}
		c.calls[key] = k
		c.called = append(c.called, k)
	}
	return k
}

// decision adds a call that was permitted, or not.
func (c *conversation) decision(a attributes, text string, at time.Time, line int) {
	id := a.text("tool_use_id", "call_id")
	if id == "" {
		return // which call it is about is unknown; its result follows
	}
	k := c.callOf(id, text, at, line)
	k.log = true
	k.Name = cmp.Or(k.Name, a.text("tool_name"))
	switch decision := a.text("decision"); {
	case decision == "reject", strings.HasPrefix(decision, "denied"), decision == "abort", decision == "timed_out":
		k.rejected = true
	}
}

// result adds a call that ended.
func (c *conversation) result(a attributes, by agent, text string, at time.Time, line int) {
	began := at
	if ms, known, ok := jsonscan.Count([]byte(cmp.Or(a.text("duration_ms"), "null"))); ok && known && !at.IsZero() && ms < int64(time.Hour/time.Millisecond*24*365) {
		began = at.Add(-time.Duration(ms) * time.Millisecond)
		c.ExtendSpan(began)
	}
	k := c.callOf(a.text("tool_use_id", "call_id"), text, began, line)
	if k.ended && k.log {
		return // delivered twice
	}
	k.log, k.ended = true, true
	k.At, k.End, k.Place = began, at, c.Place(line)
	failure := a.text("error", "error.message", "output")
	r := record.ResultOf(a.text("success") != "true", false, at, []byte(failure))
	k.Status, k.ExitCode = r.Status, r.Exit
	if by.ExitInOutput {
		k.ExitCode = exitIn(failure)
	}
	if a.text("decision", "decision_type") == "reject" {
		k.rejected = true
	}
	input := []byte(a.text("arguments", "tool_input"))
	if full := fullCommand(a.text("tool_parameters")); full != nil {
		input = full
	}
	mcp := a.text("mcp_server") != "" || by.MCPTool != "" && a.text("tool_name") == by.MCPTool
	c.describe(k, a.text("tool_name"), input, mcp)
}

// fullCommand returns the input of a command that Claude Code describes.
func fullCommand(parameters string) (input []byte) {
	s := jsonscan.New([]byte(parameters))
	if s.Peek() != '{' {
		return nil
	}
	s.Object(func(key []byte) {
		if string(key) == "full_command" {
			input, _ = json.Marshal(map[string]string{"command": record.Valid(s.TextOrNil())})
		} else {
			s.Skip()
		}
	})
	return input
}

// exitText begins the output of a command with its exit status.
var exitText = lazyregexp.New(`^(?:Exit code: |.*\nProcess exited with code |Process exited with code )(-?\d+)`)

func exitIn(output string) *int {
	if m := exitText().FindStringSubmatch(output[:min(len(output), 512)]); m != nil {
		if exit, err := strconv.Atoi(m[1]); err == nil {
			return &exit
		}
	}
	return nil
}

// describe sets what a call did. Agents leave the input of tools out unless they are asked
// to record it.
func (c *conversation) describe(k *call, name string, input []byte, mcp bool) {
	k.Name = cmp.Or(name, k.Name)
	switch kind, _ := profile.KindOf(k.Name); {
	case k.Name == "":
		c.Note(fact.UnknownTool, k.Line, "a call of a tool without its name", true)
		k.Kind = fact.Other
	case mcp:
		k.Kind = fact.MCP
	case len(bytes.TrimSpace(input)) == 0 && (kind == fact.Command || kind == fact.FileEdit):
		k.Kind = kind
		c.Note(fact.Opaque, k.Line, "the telemetry has calls of "+k.Name+" without their command or file; agents record it on request", true)
	case len(bytes.TrimSpace(input)) == 0 && kind == fact.Read:
		k.Kind = kind
	default:
		c.ReadInput(&k.ToolCall, input, c.Cwd)
	}
}

// finish adds what the session used and called. The events of a session count more than its
// spans, which may repeat them without a common id.
func (c *conversation) finish() {
	logs := func(u *usage) bool { return u.log }
	if slices.ContainsFunc(c.used, logs) {
		c.keepLogged(len(c.used), func(i int) (log, span bool) { return c.used[i].log, c.used[i].span }, "calls of the model")
		c.used = slices.DeleteFunc(c.used, func(u *usage) bool { return !u.log })
	}
	if slices.ContainsFunc(c.called, func(k *call) bool { return k.log }) {
		c.keepLogged(len(c.called), func(i int) (log, span bool) { return c.called[i].log, c.called[i].span }, "calls of tools")
		c.called = slices.DeleteFunc(c.called, func(k *call) bool { return !k.log })
	}
	for _, u := range c.used {
		u.CallID = c.Stem + " " + cmp.Or(cmp.Or(u.ids...), u.text)
		c.AddTokens(u.Tokens)
	}
	for _, k := range c.called {
		if !k.ended {
			c.describe(k, k.Name, nil, strings.HasPrefix(k.Name, "mcp_"))
		}
		if k.rejected && k.Status != fact.OK {
			k.Status = fact.Rejected
		}
		c.AppendCall(k.ToolCall, record.FingerprintOf("otlp", c.Stem, k.key))
	}
}

// keepLogged notes that spans record more than the events that are counted.
func (c *conversation) keepLogged(n int, at func(i int) (log, span bool), what string) {
	logged, spans := 0, 0
	for i := range n {
		log, span := at(i)
		if log {
			logged++
		}
		if span {
			spans++
		}
	}
	if spans > logged {
		c.Note(fact.UnknownType, 0, "the spans have more "+what+" than the log events, which are counted", true)
	}
}
