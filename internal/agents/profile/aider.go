package profile

import (
	"cmp"
	"path/filepath"
)

// aider has no hooks, and its log names no tools.
var aider = Profile{
	Name:  "aider",
	Title: "Aider",
	Sources: []Source{
		{OfLogs, "", "11/2026; the format is not documented"},
	},
	Logs: func(m Machine, root string) []Place {
		history := cmp.Or(m.Getenv("AIDER_CHAT_HISTORY_FILE"), ".aider.chat.history.md")
		if !filepath.IsAbs(history) {
			history = filepath.Join(root, history)
		}
		return []Place{{Path: history, Own: true}}
	},
}
