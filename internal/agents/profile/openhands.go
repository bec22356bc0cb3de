package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// openhands has no hooks that rulecheck installs.
var openhands = Profile{
	Name:  "openhands",
	Title: "OpenHands",
	Sources: []Source{
		{OfLogs, "https://github.com/OpenHands/software-agent-sdk/blob/main/openhands-sdk/openhands/sdk/conversation/persistence_const.py", "8/2026"},
		{OfTools, "https://github.com/OpenHands/software-agent-sdk/tree/main/openhands-tools/openhands/tools", "8/2026"},
	},
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".openhands", "conversations")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "terminal execute_bash",
		fact.FileEdit: "file_editor planning_file_editor str_replace_editor apply_patch edit write_file",
		fact.Read:     "read_file",
		fact.Other: `finish think task_tracker task delegate glob grep list_directory invoke_skill switch_llm vision_inspect
			browser_navigate browser_click browser_type browser_get_state browser_get_content browser_scroll browser_go_back
			browser_list_tabs browser_switch_tab browser_close_tab browser_get_storage browser_set_storage`,
	},
}
