package profile

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var gemini = Profile{
	Name:  "gemini",
	Title: "Gemini CLI",
	Logs: func(m Machine, root string) []Place {
		projects := filepath.Join(m.Dir("GEMINI_CLI_HOME"), ".gemini", "tmp")
		hash := sha256.Sum256([]byte(root))
		return []Place{
			{Path: projects, Owner: ".project_root", Within: "chats", Own: true},
			{Path: filepath.Join(projects, hex.EncodeToString(hash[:]), "chats"), Own: true}, // of older versions
		}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_shell_command",
		fact.FileEdit: "write_file replace",
		fact.Read:     "read_file read_many_files",
		fact.Other: `list_directory glob search_file_content grep_search google_web_search web_fetch save_memory write_todos
			ask_user activate_skill invoke_agent list_background_processes read_background_output update_topic
			get_internal_docs enter_plan_mode exit_plan_mode complete_task tracker_create_task tracker_update_task
			tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize codebase_investigator
			cli_help`,
	},
}
