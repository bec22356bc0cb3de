package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var roo = Profile{
	Name:  "roo",
	Title: "Roo Code",
	Sources: []Source{
		{OfLogs, "https://github.com/RooCodeInc/Roo-Code/tree/cb836567180a3ff1da6d082f3178b90c3bd22a70/src/core/task-persistence", "tasks of this commit"},
		{OfTools, "https://github.com/RooCodeInc/Roo-Code/blob/cb836567180a3ff1da6d082f3178b90c3bd22a70/packages/types/src/tool.ts", "this commit"},
	},
	Logs: func(m Machine, _ string) []Place {
		commandLine := Place{Path: filepath.Join(m.Home(), ".vscode-mock", "global-storage", "tasks")}
		return append(m.inEditors("rooveterinaryinc.roo-cline", "tasks"), commandLine)
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "execute_command",
		fact.FileEdit: "write_to_file apply_diff apply_patch edit edit_file insert_content search_and_replace search_replace",
		fact.Read:     "read_file",
		fact.MCP:      "use_mcp_tool",
		fact.Other: `access_mcp_resource ask_followup_question attempt_completion browser_action codebase_search fetch_instructions generate_image
			list_code_definition_names list_files new_task read_command_output run_slash_command search_files skill switch_mode
			update_todo_list`,
	},
	Subagents: "new_task",
}
