package profile

import (
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// ClaudeLike is the name of the profile of agents that are not known and speak as Claude Code
// does.
const ClaudeLike = "claude-like"

// claudeLike has no settings. Its tools are those of agents in editors.
var claudeLike = Profile{
	Name:  "claude-like",
	Title: "Other agents with hooks like those of Claude Code",
	Sources: []Source{
		{OfHooks, "https://code.claude.com/docs/en/hooks", "as Claude Code"},
		{OfTools, "", "11/2026; names that agents in editors use"},
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_terminal_command run_in_terminal run_command execute_command",
		fact.FileEdit: "create_file editFiles write_to_file replace_file_content multi_replace_file_content",
		fact.Read:     "view_file",
	},
	Hooks: Hooks{
		Events:  claudeEvents,
		Timeout: "of the agent",
		OnError: "depends on the agent; exit status 2 is meant to refuse",
		Probe:   `{"session_id":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		Members: claudeMembers,
		Claims: func(p hook.Payload, _ string) Claim {
			if p.Has("hook_event_name") {
				return Possible
			}
			return No
		},
		Outcome: likeOutcome,
		Answer:  claudeAnswer,
	},
}
