package dialect

import (
	_ "embed"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agent"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Shim contains the plugin that runs the hook in OpenCode, whose hooks run no commands.
// It takes the place of a settings file.
//
//go:embed opencode.js
var Shim string

var opencodeEvents = []Event{
	{Name: "chat.message", Kind: agent.Prompt, Can: contexts, Note: "a refused stop comes back here and is not taken for a prompt"},
	{Name: "tool.execute.before", Kind: agent.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "tool.execute.after", Kind: agent.AfterTool, Can: contexts},
	{Name: "session.idle", Kind: agent.Stop, Can: stops, Note: "as a new prompt; not in subagents, and not in `opencode run`, which exits when idle"},
}

var opencode = Dialect{
	Name:     "opencode",
	Title:    "OpenCode",
	Settings: ".opencode/plugin/rulecheck.js",
	Timeout:  "10 s, of the plugin",
	OnError:  "the call proceeds, and OpenCode's log says why",
	Read:     "OpenCode 1.18.33",
	Measured: true,
	Holes:    []string{"`opencode run` exits when it is idle, so its stop cannot be refused"},
	Events:   opencodeEvents,
	claims: func(p Payload, argv string) claim {
		name := p.text("hook_event_name")
		switch {
		case strings.HasPrefix(name, "tool.execute."), name == "chat.message", strings.HasPrefix(name, "session."), strings.HasPrefix(name, "event:"):
			return certain
		case argv == "opencode" && name != "":
			return possible
		}
		return no
	},
	event: func(p Payload, name string) agent.Event {
		e := claudeEvent(p, name, opencodeEvents)
		if p.given("parent_id") && e.Kind == agent.Stop { // a subagent is idle, its parent is not
			e.Kind, e.Subagent = agent.Other, e.Session
		}
		if e.Kind == agent.AfterTool {
			e.Call.Status = session.OK
			if p.given("error") {
				e.Call.Status = session.Error
			}
		}
		return e
	},
	answer: func(_ agent.Event, d agent.Decision) Answer {
		out := struct {
			Decision string `json:"decision,omitempty"`
			Reason   string `json:"reason,omitempty"`
			Context  string `json:"context,omitempty"`
		}{}
		switch d.Verdict {
		case agent.Deny:
			out.Decision, out.Reason = "deny", d.Reason
		case agent.Ask:
			out.Decision, out.Reason = "deny", confirm(d.Reason)
		case agent.Block:
			out.Decision, out.Reason = "block", d.Reason
		case agent.Context:
			out.Context = d.Context
		case agent.Allow:
			return Answer{}
		}
		return reply(out)
	},
}
