package profile

import (
	"cmp"
	"path/filepath"
)

var aider = Profile{
	Name:  "aider",
	Title: "Aider",
	Logs: func(m Machine, root string) []Place {
		history := cmp.Or(m.Getenv("AIDER_CHAT_HISTORY_FILE"), ".aider.chat.history.md")
		if !filepath.IsAbs(history) {
			history = filepath.Join(root, history)
		}
		return []Place{{Path: history, Own: true}}
	},
}
