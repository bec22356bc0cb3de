package profile

import (
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var claudeEvents = []Event{
	{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
	{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
	{Name: "PreToolUse", Kind: hook.BeforeTool, Can: refusals},
	{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
	{Name: "PostToolUseFailure", Kind: hook.AfterTool, Can: contexts},
	{Name: "Stop", Kind: hook.Stop, Can: stops},
}

var claude = Profile{
	Name:  "claude",
	Title: "Claude Code",
	Sources: []Source{
		{OfHooks, "https://code.claude.com/docs/en/hooks", "types of SDK 0.3.330, Claude Code 2.1.330"},
		{OfLogs, "", "transcripts of Claude Code 2.1.17 to 2.1.231; no page describes them"},
		{OfTools, "https://code.claude.com/docs/en/tools-reference", "types of SDK 0.3.330"},
		{OfTelemetry, "https://code.claude.com/docs/en/monitoring-usage", "11/2026"},
	},
	Logs: func(m Machine, root string) []Place {
		return []Place{{Path: filepath.Join(m.Dir("CLAUDE_CONFIG_DIR", ".claude"), "projects", ClaudeFolder(root)), Below: true}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "Bash PowerShell Monitor",
		fact.FileEdit: "Edit Write MultiEdit NotebookEdit",
		fact.Read:     "Read NotebookRead",
		fact.Other: `Agent AgentOutputTool Artifact AskUserQuestion BashOutput Brief Config CronCreate CronDelete CronList
			EndConversation EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP
			ListMcpResources ListMcpResourcesTool ListPeers PushNotification ReadMcpResource ReadMcpResourceTool
			RemoteTrigger ReportFindings ScheduleWakeup SendMessage SendUserFile SendUserMessage ShareOnboardingGuide
			Skill Sleep SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate
			TeamCreate TeamDelete TodoRead TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow`,
	},
	Subagents: "Agent Task",
	Telemetry: Telemetry{
		Services: "claude-code",
		Prefix:   "claude_code", Bare: true, MCPTool: "mcp_tool",
		Uncounted: `api_error api_refusal api_request_body api_response_body api_retries_exhausted assistant_response auth compaction
			feedback_survey hook_execution_start hook_execution_complete hook_plugin_metrics hook_registered internal_error
			mcp_server_connection permission_mode_changed plugin_installed plugin_loaded skill_activated at_mention subagent_completed`,
	},
	Variables: "CLAUDECODE",
	Settings: Settings{
		File: ".claude/settings.json", Local: ".claude/settings.local.json", User: ".claude/settings.json",
		Container: "hooks", Entry: matchedEntry, Off: map[string]any{"disableAllHooks": true},
		Managed: Managed{
			Linux: "/etc/claude-code/managed-settings.json", Darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
			Windows: "C:/Program Files/ClaudeCode/managed-settings.json", Source: "https://code.claude.com/docs/en/settings",
		},
	},
	Hooks: Hooks{
		Events:  claudeEvents,
		Timeout: "600 s",
		OnError: "the call proceeds, except with exit status 2",
		Holes: []string{
			"Claude Code itself allows a stop after 8 refusals in a row",
			"with permissions bypassed, a call may begin before the hook has answered",
		},
		Probe:        `{"session_id":"%s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		RootVariable: "CLAUDE_PROJECT_DIR",
		Notices:      []string{"<task-notification>"},
		Members:      claudeMembers,
		Claims: func(p hook.Payload, _ string) Claim {
			switch {
			case !p.Has("hook_event_name") || p.Has("timestamp"):
				return No
			case p.Has("prompt_id"), p.Has("background_tasks"), strings.Contains(p.Text("transcript_path"), "/.claude/projects/"):
				return Certain
			}
			return Possible
		},
		Outcome: claudeOutcome,
		Answer:  claudeAnswer,
	},
}

// ClaudeFolder returns the name of the folder in which Claude Code keeps the transcripts of a
// directory. Several directories may share one folder; the cwd of each transcript
// distinguishes them.
func ClaudeFolder(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}
