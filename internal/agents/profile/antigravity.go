package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var antigravity = Profile{
	Name:  "antigravity",
	Title: "Antigravity CLI",
	Logs: func(m Machine, _ string) []Place {
		var places []Place
		for _, product := range []string{"antigravity", "antigravity-cli", "antigravity-ide"} {
			places = append(places, Place{Path: filepath.Join(m.Home(), ".gemini", product, "brain")})
		}
		return places
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_command",
		fact.FileEdit: "write_to_file replace_file_content multi_replace_file_content",
		fact.Read:     "view_file",
		fact.MCP:      "call_mcp_tool",
		fact.Other: `list_dir find_by_name grep_search codebase_search search_in_file view_file_outline view_code_item
			view_content_chunk search_web read_url_content read_browser_page browser_subagent generate_image
			command_status send_command_input read_terminal manage_task schedule define_subagent invoke_subagent
			manage_subagents send_message task_boundary notify_user ask_question ask_permission list_permissions
			list_resources read_resource`,
	},
}
