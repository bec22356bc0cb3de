package profile

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var kilo = Profile{
	Name:  "kilo",
	Title: "Kilo",
	Sources: []Source{
		{OfLogs, "https://github.com/Kilo-Org/kilocode", "databases of Kilo CLI 7.7.9"},
		{OfTools, "", "Kilo CLI 7.7.9"},
	},
	Logs: func(m Machine, _ string) []Place {
		database := Place{Path: filepath.Join(m.Dir("XDG_DATA_HOME", ".local", "share"), "kilo", "kilo.db")}
		return append([]Place{database}, m.inEditors("kilocode.kilo-code", "tasks")...)
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "bash background_process",
		fact.FileEdit: "edit write apply_patch",
		fact.Read:     "read",
		fact.Other: `board_post board_read cancel_wakeup cron_create cron_delete cron_list glob goal grep kilo_local_recall link_pr
			plan_enter plan_exit question schedule_wakeup skill suggest task todowrite webfetch websearch`,
	},
	Subagents: "task",
	Variables: "KILO",
}
