package profile

import (
	"cmp"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/fact"
)

var opencode = Profile{
	Name:  "opencode",
	Title: "OpenCode",
	Logs: func(m Machine, _ string) []Place {
		data := filepath.Join(m.Dir("XDG_DATA_HOME", ".local", "share"), "opencode")
		db := cmp.Or(m.Getenv("OPENCODE_DB"), "opencode.db")
		if !filepath.IsAbs(db) {
			db = filepath.Join(data, db)
		}
		places := []Place{{Path: db}}
		for _, dir := range []string{"session", "message", "part"} {
			places = append(places, Place{Path: filepath.Join(data, "storage", dir)})
		}
		return places
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "bash",
		fact.FileEdit: "edit write patch apply_patch",
		fact.Read:     "read",
		fact.Other: `browser glob grep list lsp webfetch websearch codesearch batch invalid plan_enter plan_exit question
			skill task todowrite todoread`,
	},
}
