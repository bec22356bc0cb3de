package otlp

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// addSpan adds a span to its session. Spans of other programs have no operation of
// generative AI.
func (p *parser) addSpan(s waitingSpan) {
	operation := s.Attributes.text("gen_ai.operation.name")
	if id := s.Attributes.text("gen_ai.conversation.id", "session.id"); id != "" && operation != "" {
		c := p.conversation(s.agent, id)
		if p.traces[s.TraceID] == nil {
			p.traces[s.TraceID] = c
		}
		c.addSpan(&s)
		return
	}
	if operation != "" {
		p.waiting = append(p.waiting, s)
	}
}

// addSpan adds a call of the model or of a tool. A span that invokes an agent has the sums of
// the spans below it.
func (c *conversation) addSpan(s *waitingSpan) {
	start, end := nanoseconds(s.StartTimeUnixNano), nanoseconds(s.EndTimeUnixNano)
	c.ExtendSpan(start)
	c.ExtendSpan(end)
	a := s.Attributes
	place := c.Place(s.line)
	failed := a.text("error.type") != "" || fmt.Sprint(s.Status.Code) == "2" || fmt.Sprint(s.Status.Code) == "STATUS_CODE_ERROR"
	switch a.text("gen_ai.operation.name") {
	case "chat", "text_completion", "generate_content":
		if failed && a.text("gen_ai.usage.input_tokens") == "" && a.text("gen_ai.usage.output_tokens") == "" {
			return // the API refused the call
		}
		read := c.count(a, s.line, "gen_ai.usage.cache_read.input_tokens")
		write := c.count(a, s.line, "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_write.input_tokens")
		if c.Agent == copilot && a.text("gen_ai.usage.input_tokens") != "" { // it leaves out what is 0
			read, write = cmp.Or(read, new(int64)), cmp.Or(write, new(int64))
		}
		c.use(usage{ids: []string{a.text("gen_ai.response.id"), s.id}, span: true, Tokens: session.Tokens{At: start, Model: a.text("gen_ai.response.model", "gen_ai.request.model"), Place: place, TokenCount: fact.TokenCount{
			Input: less(c.count(a, s.line, "gen_ai.usage.input_tokens"), read, write), Output: c.count(a, s.line, "gen_ai.usage.output_tokens"),
			CacheRead: read, CacheWrite: write,
		}}})
	case "execute_tool":
		k := c.callOf(a.text("gen_ai.tool.call.id"), s.id, start, s.line)
		k.span = true
		if k.ended {
			return // an event has its end, or the span was delivered twice
		}
		k.ended, k.At, k.End, k.Place, k.Status = !end.IsZero(), start, end, place, fact.OK
		switch {
		case end.IsZero():
			k.Status = fact.Running
		case failed:
			k.Status = fact.Error
		}
		c.describe(k, cmp.Or(a.text("gen_ai.tool.name"), k.Name), []byte(a.text("gen_ai.tool.call.arguments")), a.text("gen_ai.tool.type") == "extension" || a.text("mcp.method.name") != "")
		if k.Kind == fact.Command {
			k.exited(a, c.Agent)
		}
	}
}

// copilot is the agent whose tool for commands succeeds however the command ended.
const copilot = "copilot"

// copilotExit is the end of what Copilot's tool for commands returns, with the exit status.
var copilotExit = lazyregexp.New(`with exit code (-?\d+)>\s*$`)

// exited sets the exit status of a command, and the outcome that it shows.
func (k *call) exited(a attributes, agent string) {
	status := a.text("process.exit.code")
	if m := copilotExit().FindStringSubmatch(a.text("gen_ai.tool.call.result")); m != nil && status == "" {
		status = m[1]
	}
	code, err := strconv.Atoi(status)
	switch {
	case err == nil:
		k.ExitCode = &code
		if code != 0 && k.Status == fact.OK {
			k.Status = fact.Error
		}
	case agent == copilot && k.Status == fact.OK:
		k.Status = fact.Unknown
	}
}
