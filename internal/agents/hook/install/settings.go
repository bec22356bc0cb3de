// Package install adds the hooks of rulecheck to the settings of coding agents, and
// removes them.
package install

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// Agents returns the agents that hooks can be installed for.
func Agents() []profile.Profile {
	var list []profile.Profile
	for _, p := range profile.All() {
		if p.Settings.File != "" {
			list = append(list, p)
		}
	}
	return list
}

// manner has the flags of registered commands.
type manner struct{ observe, managed bool }

// command returns the command line that is registered for an event. It is the same in
// every version, because some agents run only commands that the user trusts, and names no
// directory, because settings are committed.
func command(p profile.Profile, event string, m manner) string {
	line := "rulecheck hook " + p.Name
	if p.Settings.Named {
		line += " " + event
	}
	if m.managed {
		line += " --managed"
	}
	if m.observe {
		line += " --observe"
	}
	if p.Settings.Guarded {
		line = profile.Guard + line
	}
	return line
}

// turnedOff returns which member of settings turns all hooks off; empty: none does.
func turnedOff(off map[string]any, settings []byte) string {
	standard, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(settings, []byte(mark))))
	var root map[string]any
	if err != nil || json.Unmarshal(standard, &root) != nil {
		return ""
	}
	for path, value := range off {
		if got, ok := lookUp(root, path); ok && got == value {
			return fmt.Sprintf("%s is %v", path, value)
		}
	}
	return ""
}
