package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/agent"
	"github.com/rulecheck/rulecheck/internal/session"
)

var antigravityEvents = []Event{
	{Name: "PreToolUse", Kind: agent.BeforeTool, Can: []agent.Verdict{agent.Deny, agent.Ask}},
	{Name: "PostToolUse", Kind: agent.AfterTool},
	{Name: "Stop", Kind: agent.Stop, Can: stops},
}

var antigravity = Dialect{
	Name:     "antigravity",
	Title:    "Antigravity CLI",
	Settings: ".agents/hooks.json",
	Timeout:  "a whole number of seconds in the settings",
	OnError:  "a malformed answer denies the call; a settings file with one error is dropped as a whole",
	Read:     "reports of Antigravity CLI 1.0.15 to 1.2.3",
	Holes:    []string{"payloads do not name their event, so the command line has to", "no event for the user's prompt, so rules that compare with it use the last one captured otherwise"},
	Events:   antigravityEvents,
	claims: func(p Payload, argv string) claim {
		switch {
		case p.Has("conversationId"), p.Has("toolCall"), p.Has("stepIdx"):
			return certain
		case argv == "antigravity" && p.Has("hook_event_name"):
			return possible
		}
		return no
	},
	event: func(p Payload, name string) agent.Event {
		call := p.object("toolCall")
		if name == "" && call.Has("name") && !p.Has("error") {
			name = "PreToolUse"
		}
		name = cmp.Or(p.text("hook_event_name"), name)
		args := call.object("args")
		e := agent.Event{
			Kind: kindOf(antigravityEvents, name), Name: name, Session: p.text("conversationId", "session_id"), Transcript: p.text("transcriptPath"),
			Cwd: args.text("Cwd"),
		}
		if roots := p.texts("workspacePaths"); e.Cwd == "" && len(roots) > 0 {
			e.Cwd = roots[0]
		}
		if e.Kind != agent.BeforeTool && e.Kind != agent.AfterTool {
			return e
		}
		id := ""
		if p.Has("stepIdx") {
			id = fmt.Sprintf("step-%d", p.number("stepIdx"))
		}
		readCall(&e, cmp.Or(call.text("name"), p.text("tool_name")), id, json.RawMessage(cmp.Or(string(call.raw("args")), string(p.raw("tool_input")))))
		e.Call.Status = session.Running
		if e.Kind == agent.AfterTool {
			e.Call.Status, e.Output = session.OK, p.output()
			if p.given("error") {
				e.Call.Status = session.Error
			}
		}
		return e
	},
	failsAs: func(_ agent.Event, reason string) Answer { return reply(output{Decision: "deny", Reason: reason}) },
	answer: func(e agent.Event, d agent.Decision) Answer {
		out := output{Reason: d.Reason}
		switch d.Verdict {
		case agent.Deny:
			out.Decision = "deny"
		case agent.Ask:
			out.Decision = "ask"
		case agent.Block:
			out.Decision = "block"
		case agent.Allow, agent.Context:
			if e.Kind == agent.BeforeTool { // an empty object would deny; nothing is no opinion
				return Answer{}
			}
			out.Reason = ""
		}
		return reply(out)
	},
}
