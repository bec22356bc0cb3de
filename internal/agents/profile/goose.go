package profile

import (
	"cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// goose reads hooks from plugins: the directory of the settings is a plugin that has hooks only.
var goose = Profile{
	Name:  "goose",
	Title: "goose",
	Sources: []Source{
		{OfHooks, "https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md", "11/2026"},
		{OfTools, "https://github.com/block/goose/blob/main/documentation/docs/guides/context-engineering/hooks.md", "11/2026"},
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "developer__shell",
		fact.FileEdit: "developer__write developer__edit developer__text_editor",
		fact.Read:     "developer__read_image",
		fact.Other:    "developer__tree",
	},
	Variables: "GOOSE_TERMINAL",
	Settings: Settings{
		File: ".agents/plugins/rulecheck/hooks/hooks.json", User: ".agents/plugins/rulecheck/hooks/hooks.json",
		Container: "hooks", Entry: groupEntry,
		Next: "goose loads plugins when it starts in this directory",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "SessionStart", Kind: hook.SessionStart},
			{Name: "UserPromptSubmit", Kind: hook.Prompt},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool},
			{Name: "PostToolUseFailure", Kind: hook.AfterTool},
			{Name: "Stop", Kind: hook.Stop, Can: stops, Note: "goose itself ends the turn after some refusals in a row"},
		},
		Timeout: "30 s",
		OnError: "the call proceeds, except with exit status 2",
		Holes: []string{
			"goose takes no context from hooks",
			"a plugin that `disabledPlugins` names in the settings of goose does not run",
			"the directory of a session is in the payload of tools only",
		},
		Probe: `{"event":"PreToolUse","session_id":"%s","matcher_context":"developer__shell","tool_name":"developer__shell","tool_input":{"command":"true"},"tool_call_id":"probe"}`,
		Members: Members{
			Event: []string{"event"}, Session: []string{"session_id"}, Cwd: []string{"working_dir"}, Prompt: []string{"message"},
			Tool: []string{"tool_name"}, Call: []string{"tool_call_id"}, Input: []string{"tool_input"}, Last: []string{"last_assistant_message"},
		},
		Claims: func(p hook.Payload, argv string) Claim {
			switch {
			case p.Has("hook_event_name") || !p.Has("event") || !p.Has("session_id"):
				return No
			case p.Has("matcher_context"), argv == "goose":
				return Certain
			}
			return Possible
		},
		Outcome: likeOutcome,
		Answer:  gooseAnswer,
	},
}

// gooseAnswer prints a refusal only: goose takes any other text for a hook that failed.
func gooseAnswer(_ hook.Event, d hook.Decision) hook.Answer {
	switch d.Verdict {
	case hook.Ask:
		d.Reason = confirm(d.Reason)
	case hook.Deny, hook.Block:
	default:
		return hook.Answer{}
	}
	return reply(output{Decision: "block", Reason: cmp.Or(d.Reason, "denied by rulecheck")})
}
