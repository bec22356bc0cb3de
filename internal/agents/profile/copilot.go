package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var copilot = Profile{
	Name:  "copilot",
	Title: "GitHub Copilot (CLI, cloud agent, VS Code)",
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Dir("COPILOT_HOME", ".copilot"), "session-state")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "bash powershell",
		fact.FileEdit: "edit create apply_patch str_replace str_replace_editor insert",
		fact.Read:     "view",
		fact.Other: `read_bash stop_bash list_bash read_powershell stop_powershell list_powershell rg report_intent
			update_todo think store_memory read_agent exit_plan_mode task_complete sql show_file
			fetch_copilot_cli_documentation`,
	},
}
