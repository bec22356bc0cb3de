package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var windsurf = Profile{
	Name:  "windsurf",
	Title: "Windsurf and Devin Desktop",
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".windsurf", "transcripts")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_command",
		fact.FileEdit: "code_action",
		fact.Read:     "view_file",
		fact.MCP:      "mcp_tool",
		fact.Other:    "list_directory grep_search codebase_search find_by_name search_web read_url_content",
	},
}
