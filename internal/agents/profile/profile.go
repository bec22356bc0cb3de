// Package profile describes coding agents, one file and one row of [All] per agent: its
// names, its tools, where it keeps logs and settings, what its hooks send and understand,
// and the pages that this was read from. All other tables of agents are made from it.
//
// A profile is data. It has functions where agents differ in more than names: how surely a
// payload is the agent's, what its payload has in an unusual place, and how it takes an
// answer. The package dialect applies them.
package profile

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Profile describes one agent.
type Profile struct {
	// Name identifies the agent in rules, on command lines and in journals.
	Name string
	// Title is the name of the agent for people.
	Title string
	// Sources are the pages and programs that the profile was read from.
	Sources []Source
	// Logs returns where the agent keeps the logs of a repository; nil: its logs cannot be
	// read.
	Logs func(m Machine, root string) []Place
	// Tools lists the names of its tools by kind, separated by spaces.
	Tools map[fact.Kind]string
	// Subagents lists those of its tools that start another agent, separated by spaces.
	Subagents string
	// Telemetry describes the agent's OpenTelemetry; empty: it is not known.
	Telemetry Telemetry
	// Variables are those that the agent sets for the commands that it runs, separated by spaces;
	// empty: none is known.
	Variables string
	// Settings are where hooks are registered; empty: rulecheck cannot install any.
	Settings Settings
	// Hooks describe what hooks send and understand; no events: the agent has no hooks.
	Hooks
}

// The subjects of sources.
const (
	OfHooks     = "hooks"
	OfLogs      = "logs"
	OfTools     = "tools"
	OfTelemetry = "telemetry"
)

// Source is a page, or a version of the agent, that describes a part of a profile.
type Source struct {
	Of   string // its subject
	Page string // its address; empty: it was read from the program or its logs
	Read string // the version or the date
}

// Telemetry describes an agent's OpenTelemetry.
type Telemetry struct {
	// Services are the names of the service that the agent writes, separated by spaces.
	Services string
	// Prefix begins the names of the agent's events, before a dot; empty: events are not read.
	Prefix string
	// Bare is true if the names of events lack the prefix where the service is named.
	Bare bool
	// ExitInOutput is true if the output of a command begins with its exit status.
	ExitInOutput bool
	// MCPTool is the name that calls of all tools of MCP servers have; empty: each has its own.
	MCPTool string
	// Uncounted are the events that hold nothing that is counted, without the prefix and
	// separated by spaces.
	Uncounted string
}

// All returns the profiles of all agents, those whose payloads are easier to recognise first.
func All() []Profile {
	return []Profile{
		windsurf,
		cursor,
		kilo, // whose commands have the variables of OpenCode, too
		opencode,
		antigravity,
		qwen,
		droid,
		goose,
		cline,
		roo,
		kiro,
		copilot,
		gemini,
		codex,
		claude,
		claudeLike,
		aider,
		crush,
		openhands,
		miniSWEAgent,
		sweAgent,
	}
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

// Around returns the name of the agent that runs this program, by its environment; empty: none
// is known to. A variable may be missing, and a user may set one.
func Around(getenv func(string) string) string {
	for _, p := range All() {
		for name := range strings.FieldsSeq(p.Variables) {
			if getenv(name) != "" {
				return p.Name
			}
		}
	}
	if getenv("AI_AGENT") != "" {
		return "another agent"
	}
	return ""
}

// LogsOf returns where the agent keeps the logs of the repository at root, whether they exist
// or not.
func (p *Profile) LogsOf(m Machine, root string) []Place {
	if p.Logs == nil {
		return nil
	}
	return p.Logs(m, root)
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
