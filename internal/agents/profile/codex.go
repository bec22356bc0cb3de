package profile

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var codex = Profile{
	Name:  "codex",
	Title: "Codex CLI",
	Sources: []Source{
		{OfHooks, "https://developers.openai.com/codex/hooks", "Codex CLI 0.169.0"},
		{OfLogs, "https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs", "rollouts of mid-2025, Codex CLI 0.133.0 and 0.169.0"},
		{OfTools, "", "Codex CLI 0.169.0"},
		{OfTelemetry, "https://github.com/openai/codex/tree/main/codex-rs/otel/src/events", "11/2026"},
	},
	Logs: func(m Machine, _ string) []Place {
		home := m.Dir("CODEX_HOME", ".codex")
		return []Place{{Path: filepath.Join(home, "sessions")}, {Path: filepath.Join(home, "archived_sessions")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "shell exec_command shell_command local_shell local_shell_call container.exec",
		fact.FileEdit: "apply_patch",
		fact.Read:     "view_image",
		fact.Other: `update_plan spawn_agent send_input send_message followup_task wait wait_agent close_agent resume_agent
			list_agents request_user_input request_permissions web_search image_generation list_mcp_resources
			list_mcp_resource_templates read_mcp_resource list_dir grep_files create_goal get_goal update_goal`,
	},
	Subagents: "spawn_agent",
	Telemetry: Telemetry{
		Services: "codex_cli_rs codex-cli codex_exec",
		Prefix:   "codex", ExitInOutput: true,
		Uncounted: `conversation_starts api_request sandbox_assessment sandbox_assessment_latency websocket_connect websocket_request
			auth_recovery startup_phase turn_ttft turn_ttfm startup_prewarm`,
	},
	Variables: "CODEX_THREAD_ID CODEX_SANDBOX",
	Settings: Settings{
		File: ".codex/hooks.json", User: ".codex/hooks.json",
		Container: "hooks", Entry: groupEntry,
		// The hooks of the system's layer need no trust.
		Managed: Managed{Linux: "/etc/codex/hooks.json", Darwin: "/etc/codex/hooks.json", Source: "https://github.com/openai/codex/pull/20319"},
		Next:    "Codex runs these hooks once the project is trusted and each hook is: start codex, type /hooks and trust them, or run: rulecheck install codex --trust",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts, Note: "also after each compaction"},
			{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Context}, Note: "`ask` becomes `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
			{Name: "Stop", Kind: hook.Stop, Can: stops, Note: "Codex never gives up by itself"},
		},
		Timeout:  "600 s",
		OnError:  "the call proceeds and nothing is shown",
		Measured: true,
		Holes: []string{
			"text written to a running command (`write_stdin`) fires no hook; a shell that waits for it is opaque to tool rules",
			"a patch in a shell command (`apply_patch`) is a command to the hook, and no event follows it; tool rules read its files",
			"hooks run only in a trusted project, once each hook itself is trusted",
			"the working directory of a command is not in the payload, and neither is how it ended",
		},
		Probe:     `{"session_id":"%s","hook_event_name":"PreToolUse","turn_id":"t","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		Shell:     []string{"", "-c"},
		TrustedBy: "codex",
		Silent:    true,
		Unhooked:  []string{"write_stdin", "exec"},
		Script:    "exec",
		Poll:      "write_stdin",
		Members:   claudeMembers,
		Claims: func(p hook.Payload, _ string) Claim {
			switch {
			case !p.Has("hook_event_name"):
				return No
			case p.Has("turn_id"), strings.Contains(p.Text("transcript_path"), "/.codex/"):
				return Certain
			case p.Has("prompt_id"), p.Has("timestamp"):
				return No
			}
			return Possible
		},
		Outcome: codexOutcome,
		Answer:  codexAnswer,
	},
}

// codexOutcome knows that a patch was applied. Of a command the payload has what it wrote.
func codexOutcome(p hook.Payload, e *hook.Event) Outcome {
	o, ok := stated(p, e)
	if !ok && e.Call.Kind == fact.FileEdit && strings.HasPrefix(p.Text("tool_response"), "Success. Updated the following files:") {
		return succeeded
	}
	return o
}

func codexAnswer(e hook.Event, d hook.Decision) hook.Answer {
	if d.Verdict == hook.Ask { // an ask is invalid, and the call would proceed
		d.Verdict, d.Reason = hook.Deny, confirm(d.Reason)
	}
	if e.Kind == hook.BeforeTool { // ". Command: …" is added
		d.Reason = cmp.Or(strings.TrimRight(d.Reason, ". \n"), d.Reason) // without a reason, the call would proceed
	}
	return claudeAnswer(e, d)
}
