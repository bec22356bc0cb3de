package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var codex = Profile{
	Name:  "codex",
	Title: "Codex CLI",
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
}
