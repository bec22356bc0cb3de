package profile

import "github.com/rulecheck/rulecheck/internal/fact"

var claudeLike = Profile{
	Name:  "claude-like",
	Title: "Other agents with hooks like those of Claude Code",
	Tools: map[fact.Kind]string{
		fact.Command:  "run_terminal_command run_in_terminal run_command execute_command",
		fact.FileEdit: "create_file editFiles write_to_file replace_file_content multi_replace_file_content",
		fact.Read:     "view_file",
	},
}
