package dialect

import (
	"cmp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

var geminiEvents = []Event{
	{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
	{Name: "BeforeAgent", Kind: hook.Prompt, Can: contexts, Note: "a refused stop comes back here and is not taken for a prompt"},
	{Name: "BeforeTool", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny}, Note: "`ask` becomes `deny`: a run without a terminal would wait for ever"},
	{Name: "AfterTool", Kind: hook.AfterTool, Can: contexts},
	{Name: "AfterAgent", Kind: hook.Stop, Can: stops, Note: "Gemini CLI never gives up by itself"},
}

var gemini = Dialect{
	Name:     "gemini",
	Title:    "Gemini CLI",
	Settings: ".gemini/settings.json",
	Timeout:  "60 s; settings have milliseconds",
	OnError:  "a command that cannot be found refuses every prompt; a time limit lets the call proceed",
	Read:     "Gemini CLI 0.61.0",
	Measured: true,
	Holes: []string{
		"calls have no ids, so a receipt joins them by name, input and order",
		"`--skip-trust` silently drops the hooks of the project; `GEMINI_CLI_TRUST_WORKSPACE=true` and a trusted folder keep them",
		"the answer at a stop repeats what was answered before it, so a promise holds until the user's next prompt",
	},
	Events: geminiEvents,
	claims: func(p Payload, argv string) claim {
		name := p.text("hook_event_name")
		switch {
		case name == "":
			return no
		case kindOf(geminiEvents[1:], name) != hook.Other, strings.HasPrefix(name, "Before"), strings.HasPrefix(name, "After"), name == "PreCompress",
			strings.Contains(p.text("transcript_path"), "/.gemini/"):
			return certain
		case p.Has("timestamp"), argv == "gemini":
			return possible
		}
		return no
	},
	event: func(p Payload, name string) hook.Event { return claudeEvent(p, name, geminiEvents) },
	answer: func(e hook.Event, d hook.Decision) Answer {
		out := output{SystemMessage: d.Notice}
		switch d.Verdict {
		case hook.Deny, hook.Block:
			out.Decision, out.Reason = "deny", d.Reason
		case hook.Ask:
			out.Decision, out.Reason = "deny", confirm(d.Reason)
		case hook.Context:
			switch e.Kind {
			case hook.BeforeTool: // a context is not delivered; it comes after the tool
			case hook.Stop:
				out.SystemMessage = cmp.Or(d.Notice, d.Context)
			default:
				out.Specific = &specific{HookEventName: e.Name, AdditionalContext: d.Context}
			}
		case hook.Allow:
		}
		return reply(out)
	},
}
