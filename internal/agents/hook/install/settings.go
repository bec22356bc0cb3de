// Package install adds the hooks of rulecheck to the settings of coding agents, and
// removes them.
package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// Limits of a hook in seconds. A stop may run the commands of rules.
const (
	eventLimit = 15
	stopLimit  = 600
)

// form is how an agent's settings register a hook. All of them are JSON objects.
type form struct {
	// container is the member of the root that has the events.
	container string
	// version is the member "version" of new settings; 0: they have none.
	version int
	// entry returns the element of an event's list.
	entry func(e dialect.Event, command string) any
	// guarded is true if the command must succeed without the program: the agent takes its
	// absence for a refusal.
	guarded bool
	// named is true if the command line has to name the event, because the payload does not.
	named bool
	// off are members that turn all hooks off, with the value that does so.
	off    map[string]any
	strict bool // the agent drops settings with comments
	// next is a further step for the user; empty: none.
	next string
}

// forms is the table of agents whose settings are JSON, by the dialects' names. Of an agent
// that is in neither this table nor files, nothing can be installed.
var forms = map[string]form{
	"claude": {container: "hooks", entry: matched("*"), off: map[string]any{"disableAllHooks": true}},
	"codex": {
		container: "hooks", entry: grouped,
		next: "Codex runs these hooks once the project is trusted and each hook is: start codex, type /hooks and trust them, or run: rulecheck install codex --trust",
	},
	"gemini": {
		container: "hooks", entry: inMilliseconds, guarded: true, off: map[string]any{"hooksConfig.enabled": false},
		next: "Gemini CLI runs the hooks of a project in trusted folders only",
	},
	"cursor":      {container: "hooks", version: 1, entry: flat},
	"copilot":     {container: "hooks", version: 1, entry: shells, guarded: true, named: true},
	"windsurf":    {container: "hooks", entry: bare},
	"antigravity": {container: "rulecheck", entry: mixed, guarded: true, named: true, strict: true, off: map[string]any{"rulecheck.enabled": false}},
}

// files is the table of agents that are given a whole file.
var files = map[string]string{"opencode": dialect.Shim}

// Agents returns the dialects of the agents that hooks can be installed for.
func Agents() []dialect.Dialect {
	var list []dialect.Dialect
	for _, d := range dialect.Dialects() {
		if _, ok := forms[d.Name]; ok || files[d.Name] != "" {
			list = append(list, d)
		}
	}
	return list
}

// guard precedes a command that must succeed without the program.
const guard = "command -v rulecheck >/dev/null || exit 0; exec "

// command returns the command line that is registered for an event. It is the same in
// every version, because some agents run only commands that the user trusts, and names no
// directory, because settings are committed.
func (f form) command(agentName, event string, observe bool) string {
	line := "rulecheck hook " + agentName
	if f.named {
		line += " " + event
	}
	if observe {
		line += " --observe"
	}
	if f.guarded {
		line = guard + line
	}
	return line
}

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

func limit(e dialect.Event) int {
	if e.Kind == hook.Stop {
		return stopLimit
	}
	return eventLimit
}

// grouped is a group without a matcher: it is for all tools.
func grouped(e dialect.Event, command string) any {
	return group{Hooks: []handler{{"command", command, limit(e)}}}
}

// matched gives the events of tools a matcher.
func matched(matcher string) func(dialect.Event, string) any {
	return func(e dialect.Event, command string) any {
		g := group{Hooks: []handler{{"command", command, limit(e)}}}
		if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
			g.Matcher = matcher
		}
		return g
	}
}

func inMilliseconds(e dialect.Event, command string) any {
	return group{Hooks: []handler{{"command", command, limit(e) * 1000}}}
}

// mixed groups the events of tools only.
func mixed(e dialect.Event, command string) any {
	h := handler{"command", command, limit(e)}
	if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
		return group{Matcher: "*", Hooks: []handler{h}}
	}
	return h
}

func flat(e dialect.Event, command string) any {
	return struct {
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}{command, limit(e)}
}

// shells is an entry with a command for each kind of shell. PowerShell has no guard: what
// it takes for one depends on its version.
func shells(e dialect.Event, command string) any {
	return struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		PowerShell string `json:"powershell"`
		TimeoutSec int    `json:"timeoutSec"` //nolint:tagliatelle // as Copilot has it
	}{"command", command, strings.TrimPrefix(command, guard), limit(e)}
}

func bare(_ dialect.Event, command string) any {
	return struct {
		Command    string `json:"command"`
		ShowOutput bool   `json:"show_output"`
	}{command, true}
}

// turnedOff returns which member of settings turns all hooks off; empty: none does.
func (f form) turnedOff(settings []byte) string {
	standard, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(settings, []byte(mark))))
	var root map[string]any
	if err != nil || json.Unmarshal(standard, &root) != nil {
		return ""
	}
	for path, value := range f.off {
		if got, ok := lookUp(root, path); ok && got == value {
			return fmt.Sprintf("%s is %v", path, value)
		}
	}
	return ""
}
