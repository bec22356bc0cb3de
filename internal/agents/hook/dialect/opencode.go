package dialect

import (
	_ "embed"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Shim contains the plugin that runs the hook in OpenCode, whose hooks run no commands.
// It takes the place of a settings file.
//
//go:embed opencode.js
var Shim string

var opencodeEvents = []Event{
	{Name: "session.created", Kind: hook.SessionStart, Can: contexts, Note: "with the first prompt of a session"},
	{Name: "chat.message", Kind: hook.Prompt, Can: contexts, Note: "a refused stop comes back here and is not taken for a prompt"},
	{Name: "tool.execute.before", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "tool.execute.after", Kind: hook.AfterTool, Can: contexts},
	{Name: "session.idle", Kind: hook.Stop, Can: stops, Note: "as a new prompt; not in subagents, and not in `opencode run`, which exits when idle"},
}

var opencode = Dialect{
	Name:     "opencode",
	Title:    "OpenCode",
	Settings: ".opencode/plugin/rulecheck.js",
	Timeout:  "of the plugin: 10 s, and 600 s at a stop",
	OnError:  "the call proceeds, and OpenCode's log says why",
	Read:     "OpenCode 1.18.33",
	Measured: true,
	Holes: []string{
		"`opencode run` exits when it is idle, so its stop cannot be refused; commands of rules run nevertheless",
		"the first start with a plugin installs packages of OpenCode from npm; without a network it waits for more than a minute",
		"a plugin that does not parse is left out, and at most the log shows that",
	},
	Events: opencodeEvents,
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
	event: func(p Payload, name string) hook.Event {
		e := claudeEvent(p, name, opencodeEvents)
		if p.given("parent_id") {
			e.Subagent, e.Call.Sidechain = e.Session, e.Call.Name != ""
			if e.Kind == hook.Stop { // a subagent is idle, its parent is not
				e.Kind = hook.Other
			}
		}
		if e.Kind == hook.AfterTool {
			e.Call.Status, e.Output = fact.OK, p.output()
			if p.given("error") {
				e.Call.Status = fact.Error
			}
		}
		return e
	},
	answer: func(_ hook.Event, d hook.Decision) Answer {
		out := struct {
			Decision string `json:"decision,omitempty"`
			Reason   string `json:"reason,omitempty"`
			Context  string `json:"context,omitempty"`
		}{}
		switch d.Verdict {
		case hook.Deny:
			out.Decision, out.Reason = "deny", d.Reason
		case hook.Ask:
			out.Decision, out.Reason = "deny", confirm(d.Reason)
		case hook.Block:
			out.Decision, out.Reason = "block", d.Reason
		case hook.Context:
			out.Context = d.Context
		case hook.Allow:
			return Answer{}
		}
		return reply(out)
	},
}
