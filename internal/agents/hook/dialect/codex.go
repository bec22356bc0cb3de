package dialect

import (
	"cmp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

var codexEvents = []Event{
	{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts, Note: "also after each compaction"},
	{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
	{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Context}, Note: "`ask` becomes `deny`"},
	{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
	{Name: "Stop", Kind: hook.Stop, Can: stops, Note: "Codex never gives up by itself"},
}

var codex = Dialect{
	Name:     "codex",
	Title:    "Codex CLI",
	Settings: ".codex/hooks.json",
	Timeout:  "600 s",
	OnError:  "the call proceeds and nothing is shown",
	Read:     "Codex CLI 0.169.0",
	Measured: true,
	Holes: []string{
		"text written to a running command (`write_stdin`) fires no hook; a shell that waits for it is opaque to tool rules",
		"a patch in a shell command (`apply_patch`) is a command to the hook, and no event follows it; tool rules read its files",
		"hooks run only in a trusted project, once each hook itself is trusted",
		"the working directory of a command is not in the payload",
	},
	Events: codexEvents,
	claims: func(p Payload, _ string) claim {
		switch {
		case !p.Has("hook_event_name"):
			return no
		case p.Has("turn_id"), strings.Contains(p.text("transcript_path"), "/.codex/"):
			return certain
		case p.Has("prompt_id"), p.Has("timestamp"):
			return no
		}
		return possible
	},
	event: func(p Payload, name string) hook.Event { return claudeEvent(p, name, codexEvents) },
	answer: func(e hook.Event, d hook.Decision) Answer {
		if d.Verdict == hook.Ask { // an ask is invalid, and the call would proceed
			d.Verdict, d.Reason = hook.Deny, confirm(d.Reason)
		}
		if e.Kind == hook.BeforeTool { // ". Command: …" is added
			d.Reason = cmp.Or(strings.TrimRight(d.Reason, ". \n"), d.Reason) // without a reason, the call would proceed
		}
		return claudeAnswer(e, d)
	},
}
