package profile

import (
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var claude = Profile{
	Name:  "claude",
	Title: "Claude Code",
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
