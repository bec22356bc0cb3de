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
		{OfLogs, "https://aider.chat/docs/config/options.html", "histories of Aider 0.86.1"},
	},
	Logs: func(m Machine, root string) []Place {
		history := cmp.Or(m.Getenv("AIDER_CHAT_HISTORY_FILE"), ".aider.chat.history.md")
		if !filepath.IsAbs(history) {
			history = filepath.Join(root, history)
		}
		return []Place{{Path: history, Own: true}}
	},
}
