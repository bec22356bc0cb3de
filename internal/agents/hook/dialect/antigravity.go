package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var antigravityEvents = []Event{
	{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}},
	{Name: "PostToolUse", Kind: hook.AfterTool},
	{Name: "Stop", Kind: hook.Stop, Can: stops},
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
	event: func(p Payload, name string) hook.Event {
		call := p.object("toolCall")
		if name == "" && call.Has("name") && !p.Has("error") {
			name = "PreToolUse"
		}
		name = cmp.Or(p.text("hook_event_name"), name)
		args := call.object("args")
		e := hook.Event{
			Kind: kindOf(antigravityEvents, name), Name: name, Session: p.text("conversationId", "session_id"), Transcript: p.text("transcriptPath"),
			Cwd: args.text("Cwd"),
		}
		if roots := p.texts("workspacePaths"); e.Cwd == "" && len(roots) > 0 {
			e.Cwd = roots[0]
		}
		if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
			return e
		}
		id := ""
		if p.Has("stepIdx") {
			id = fmt.Sprintf("step-%d", p.number("stepIdx"))
		}
		readCall(&e, cmp.Or(call.text("name"), p.text("tool_name")), id, json.RawMessage(cmp.Or(string(call.raw("args")), string(p.raw("tool_input")))))
		e.Call.Status = fact.Running
		if e.Kind == hook.AfterTool {
			e.Call.Status, e.Output = fact.OK, p.output()
			if p.given("error") {
				e.Call.Status = fact.Error
			}
		}
		return e
	},
	failsAs: func(_ hook.Event, reason string) Answer { return reply(output{Decision: "deny", Reason: reason}) },
	answer: func(e hook.Event, d hook.Decision) Answer {
		out := output{Reason: d.Reason}
		switch d.Verdict {
		case hook.Deny:
			out.Decision = "deny"
		case hook.Ask:
			out.Decision = "ask"
		case hook.Block:
			out.Decision = "block"
		case hook.Allow, hook.Context:
			if e.Kind == hook.BeforeTool { // an empty object would deny; nothing is no opinion
				return Answer{}
			}
			out.Reason = ""
		}
		return reply(out)
	},
}
