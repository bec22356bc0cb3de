package profile

import (
	"path"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// Settings are where and how an agent registers hooks: as members of a JSON object, or as a
// whole file.
type Settings struct {
	File  string // in a repository
	Local string // further settings of a repository, of one user; empty: there are none
	User  string // those of all repositories, below the user's directory; empty: not known
	// Managed are those of the machine, which only its administrator writes, in the same form.
	Managed Managed

	// Shim is the content of the whole file; empty: the file is a JSON object.
	Shim string
	// Also are the names of further files with the same content, next to the file.
	Also []string
	// Executable is true if the file is a program.
	Executable bool
	// Container is the member of the root that has the events.
	Container string
	// Version is the member "version" of new settings; 0: they have none.
	Version int
	// Entry returns the element of an event's list.
	Entry func(e Event, command string) any
	// Guarded is true if the command must succeed without the program: the agent takes its
	// absence for a refusal.
	Guarded bool
	// Named is true if the command line has to name the event, because the payload does not.
	Named bool
	// Off are members that turn all hooks off, with the value that does so.
	Off map[string]any
	// Strict is true if the agent drops settings with comments.
	Strict bool
	// Next is a further step for the user; empty: none.
	Next string
}

// Files returns the names of all files, that of the settings first.
func (s Settings) Files() []string {
	files := []string{s.File}
	for _, name := range s.Also {
		files = append(files, path.Join(path.Dir(s.File), name))
	}
	return files
}

// Managed is the file of settings of a machine, by operating system; empty: the agent has none,
// or none that is known to run hooks.
type Managed struct {
	Linux, Darwin, Windows string
	Source                 string // the page that has the file
}

// On returns the file on an operating system, named as in runtime.GOOS, or "" if the agent has no
// such file.
func (m Managed) On(system string) string {
	switch system {
	case "darwin":
		return m.Darwin
	case "windows":
		return m.Windows
	}
	return m.Linux
}

// Limits of a hook in seconds. A stop may run the commands of rules.
const (
	eventLimit = 15
	stopLimit  = 600
)

func limit(e Event) int {
	if e.Kind == hook.Stop {
		return stopLimit
	}
	return eventLimit
}

// Guard precedes a command that must succeed without the program.
const Guard = "command -v rulecheck >/dev/null || exit 0; exec "

// The members of entries, in the order in which agents document them.
type (
	handler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
	group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
)

// groupEntry is a group without a matcher: it is for all tools.
func groupEntry(e Event, command string) any {
	return group{Hooks: []handler{{"command", command, limit(e)}}}
}

// matchedEntry gives the events of tools a matcher.
func matchedEntry(e Event, command string) any {
	g := group{Hooks: []handler{{"command", command, limit(e)}}}
	if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
		g.Matcher = "*"
	}
	return g
}
