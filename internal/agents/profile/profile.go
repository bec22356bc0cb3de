// Package profile describes coding agents, one file and one row of [All] per agent: its
// names, where it keeps logs, and its tools. All other tables of agents are made from it.
package profile

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Profile describes one agent.
type Profile struct {
	// Name identifies the agent in rules, on command lines and in journals.
	Name string
	// Title is the name of the agent for people.
	Title string
	// Logs returns where the agent keeps the logs of a repository; nil: its logs cannot be
	// read.
	Logs func(m Machine, root string) []Place
	// Tools lists the names of its tools by kind, separated by spaces.
	Tools map[fact.Kind]string
}

// All returns the profiles of all agents.
func All() []Profile {
	return []Profile{windsurf, cursor, opencode, antigravity, copilot, gemini, codex, claude, claudeLike, aider}
}

// LogsOf returns where the agent keeps the logs of the repository at root, whether they exist
// or not.
func (p *Profile) LogsOf(m Machine, root string) []Place {
	if p.Logs == nil {
		return nil
	}
	return p.Logs(m, root)
}

// Named returns a profile by its name.
func Named(name string) (p Profile, ok bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// Names returns the names of the agents whose logs can be read, in byte order.
func Names() []string {
	var names []string
	for _, p := range All() {
		if p.Logs != nil {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}
