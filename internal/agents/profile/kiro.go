package profile

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// kiroHooks is a file of hooks of Kiro, which has a list of hooks instead of lists by event. Its
// first line is no other file's.
const kiroHooks = `{"version": "v1", "hooks": [{"name": "rulecheck-prompt", "trigger": "UserPromptSubmit",
  "action": {"type": "command", "command": "rulecheck hook kiro"}, "timeout": 15, "enabled": true},
{"name": "rulecheck-before", "trigger": "PreToolUse",
  "action": {"type": "command", "command": "rulecheck hook kiro"}, "timeout": 15, "enabled": true},
{"name": "rulecheck-after", "trigger": "PostToolUse",
  "action": {"type": "command", "command": "rulecheck hook kiro"}, "timeout": 15, "enabled": true}]}
`

var kiro = Profile{
	Name:  "kiro",
	Title: "Kiro",
	Sources: []Source{
		{OfHooks, "https://kiro.dev/docs/cli/v3/hooks/", "Kiro IDE 1.0 and CLI 3, 11/2026"},
		{OfHooks, "https://kiro.dev/docs/cli/hooks", "Kiro CLI 2: exit codes and members"},
		{OfHooks, "https://awslabs.github.io/aidlc-workflows/reference/kiro-ide-hook-payload/", "payloads of Kiro IDE 1.0.165"},
		{OfTools, "https://kiro.dev/docs/cli/hooks", "11/2026"},
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "execute_bash",
		fact.FileEdit: "fs_write str_replace",
		fact.Read:     "fs_read",
		fact.Other:    "report_issue use_aws",
	},
	Settings: Settings{
		File: ".kiro/hooks/rulecheck.json", User: ".kiro/hooks/rulecheck.json", Shim: kiroHooks,
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "UserPromptSubmit", Kind: hook.Prompt},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool},
		},
		Timeout: "60 s",
		OnError: "the call proceeds with a warning, except with exit status 2",
		Holes: []string{
			"no page shows that a stop can be refused, so none is registered",
			"no page shows which output reaches the model besides the reason of a refusal, so Kiro gets no context",
			"Kiro IDE before 1.0 passes hooks no call, and Kiro CLI 2 reads hooks in the files of its agents only, which `install` does not change",
			"whether all tools of specs and subagents fire the events is not documented",
			"a payload does not state how a command ended",
		},
		Silent: true,
		Probe:  `{"session_id":"%s","hook_event_name":"PreToolUse","cwd":"/","tool_name":"execute_bash","tool_input":{"command":"true"}}`,
		Members: Members{
			Event: []string{"hook_event_name"}, Session: []string{"session_id"}, Cwd: []string{"cwd"}, Prompt: []string{"prompt"},
			Tool: []string{"tool_name"}, Input: []string{"tool_input"},
		},
		Claims: func(p hook.Payload, argv string) Claim {
			switch {
			case !p.Has("hook_event_name") || p.Has("transcript_path"):
				return No
			case strings.HasPrefix(p.Text("session_id"), "sess_"), slices.Contains([]string{"execute_bash", "fs_write", "fs_read"}, p.Text("tool_name")):
				return Certain
			case argv == "kiro":
				return Possible
			}
			return No
		},
		Adjust:  kiroAdjust,
		Outcome: silentOutcome,
		Answer:  kiroAnswer,
	},
}

// kiroAdjust names the tool of an MCP server, which Kiro writes as @server/tool.
func kiroAdjust(p hook.Payload, e *hook.Event) {
	if server, tool, ok := strings.Cut(strings.TrimPrefix(p.Text("tool_name"), "@"), "/"); ok && strings.HasPrefix(p.Text("tool_name"), "@") {
		e.Call.Kind, e.Server, e.Tool = fact.MCP, server, tool
	}
}

// kiroAnswer refuses with the exit status: Kiro has no form for decisions.
func kiroAnswer(_ hook.Event, d hook.Decision) hook.Answer {
	switch d.Verdict {
	case hook.Deny:
		return hook.Answer{Stderr: d.Reason + "\n", Status: 2}
	case hook.Ask:
		return hook.Answer{Stderr: confirm(d.Reason) + "\n", Status: 2}
	default:
		return hook.Answer{}
	}
}
