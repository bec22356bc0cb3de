package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var cursor = Profile{
	Name:  "cursor",
	Title: "Cursor",
	Logs: func(m Machine, root string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".cursor", "projects", cursorFolder(root), "agent-transcripts"), Own: true}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "Shell run_terminal_cmd",
		fact.FileEdit: "Write StrReplace Delete EditNotebook edit_file delete_file search_replace",
		fact.Read:     "Read ReadLints read_file",
		fact.MCP:      "CallMcpTool",
		fact.Other: `SemanticSearch codebase_search grep_search file_search fetch_rules list todo_write todo_read AskQuestion
			SwitchMode FetchMcpResource GenerateImage`,
	},
}

// cursorFolder returns the name of the folder of a project: its path with dashes.
func cursorFolder(root string) string {
	name := []rune{}
	for _, r := range filepath.ToSlash(root) {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			name = append(name, r)
		case len(name) > 0 && name[len(name)-1] != '-':
			name = append(name, '-')
		}
	}
	return string(name)
}
