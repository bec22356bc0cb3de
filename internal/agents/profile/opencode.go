package profile

import (
	"cmp"
	_ "embed"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// shim is the plugin that runs the hook in OpenCode, whose hooks run no commands. It takes
// the place of a settings file.
//
//go:embed opencode.js
var shim string

var opencode = Profile{
	Name:  "opencode",
	Title: "OpenCode",
	Sources: []Source{
		{OfHooks, "https://opencode.ai/docs/plugins.md", "OpenCode 1.18.33"},
		{OfLogs, "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/session.sql.ts", "databases of OpenCode 1.18.33"},
		{OfTools, "", "OpenCode 1.18.33"},
	},
	Logs: func(m Machine, _ string) []Place {
		data := filepath.Join(m.Dir("XDG_DATA_HOME", ".local", "share"), "opencode")
		db := cmp.Or(m.Getenv("OPENCODE_DB"), "opencode.db")
		if !filepath.IsAbs(db) {
			db = filepath.Join(data, db)
		}
		places := []Place{{Path: db}}
		for _, dir := range []string{"session", "message", "part"} {
			places = append(places, Place{Path: filepath.Join(data, "storage", dir)})
		}
		return places
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "bash",
		fact.FileEdit: "edit write patch apply_patch",
		fact.Read:     "read",
		fact.Other: `browser glob grep list lsp webfetch websearch codesearch batch invalid plan_enter plan_exit question
			skill task todowrite todoread`,
	},
	Subagents: "task",
	Variables: "OPENCODE",
	Settings:  Settings{File: ".opencode/plugin/rulecheck.js", Shim: shim},
	Hooks: Hooks{
		Events: []Event{
			{Name: "session.created", Kind: hook.SessionStart, Can: contexts, Note: "with the first prompt of a session"},
			{Name: "chat.message", Kind: hook.Prompt, Can: contexts, Note: "a refused stop comes back here and is not taken for a prompt"},
			{Name: "tool.execute.before", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "tool.execute.after", Kind: hook.AfterTool, Can: contexts},
			{Name: "session.idle", Kind: hook.Stop, Can: stops, Note: "as a new prompt; not in subagents, not after an interruption, and not in `opencode run`, which exits when idle"},
		},
		Timeout:  "of the plugin: 10 s, and 600 s at a stop",
		OnError:  "the call proceeds, and OpenCode's log says why",
		Measured: true,
		Holes: []string{
			"`opencode run` exits when it is idle, so its stop cannot be refused; commands of rules run nevertheless",
			"the first start with a plugin installs packages of OpenCode from npm; without a network it waits for more than a minute",
			"a plugin that does not parse is left out, and at most the log shows that",
		},
		Probe:   `{"hook_event_name":"tool.execute.before","session_id":"%s","tool_name":"bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		Members: claudeMembers,
		Claims: func(p hook.Payload, argv string) Claim {
			name := p.Text("hook_event_name")
			switch {
			case strings.HasPrefix(name, "tool.execute."), name == "chat.message", strings.HasPrefix(name, "session."), strings.HasPrefix(name, "event:"):
				return Certain
			case argv == "opencode" && name != "":
				return Possible
			}
			return No
		},
		Adjust: func(p hook.Payload, e *hook.Event) {
			if p.Given("parent_id") {
				e.Subagent = e.Session
			}
		},
		Outcome: opencodeOutcome,
		Answer:  opencodeAnswer,
	},
}

// opencodeOutcome reads the exit code that the plugin passes. A command without one was
// stopped; other tools throw if they fail, and then the event does not come.
func opencodeOutcome(p hook.Payload, e *hook.Event) Outcome {
	if p.Has("exit") && string(p.Member("exit")) != "null" {
		return exited(p.Number("exit"))
	}
	return silentOutcome(p, e)
}

func opencodeAnswer(_ hook.Event, d hook.Decision) hook.Answer {
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
		return hook.Answer{}
	}
	return reply(out)
}
