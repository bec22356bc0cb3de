package install

import (
	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// Command is a command line that settings register.
type Command struct {
	Event string
	Line  string
	Own   bool // it runs rulecheck as a hook
}

// unixKeys are the members of entries that hold command lines for shells of Unix.
var unixKeys = map[string]bool{"command": true, "bash": true}

// Registered returns the commands that the settings of an agent register, in the order of
// the settings. Of an agent that is given a whole file, it is the command that the file runs.
func Registered(d profile.Profile, file string, text []byte) ([]Command, error) {
	if d.Settings.Shim != "" {
		return []Command{{Line: "rulecheck hook " + d.Name, Own: true}}, nil
	}
	doc, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	root, _ := doc.root.Value.(*hujson.Object) // parse accepts nothing else
	container := member(root, d.Settings.Container)
	if container == nil {
		return nil, nil
	}
	events, ok := container.Value.(*hujson.Object)
	if !ok {
		return nil, nil
	}
	var list []Command
	for _, e := range events.Members {
		for _, line := range lines(e.Value) {
			own, _ := runs(line)
			list = append(list, Command{Event: nameOf(e), Line: line, Own: own})
		}
	}
	return list, nil
}

// lines returns the command lines of the entries below a value.
func lines(v hujson.Value) []string {
	var list []string
	switch c := v.Value.(type) {
	case *hujson.Array:
		for _, element := range c.Elements {
			list = append(list, lines(element)...)
		}
	case *hujson.Object:
		for _, m := range c.Members {
			if text, ok := m.Value.Value.(hujson.Literal); ok && text.Kind() == '"' && unixKeys[nameOf(m)] {
				list = append(list, text.String())
			} else {
				list = append(list, lines(m.Value)...)
			}
		}
	}
	return list
}

// Runs reports whether a command line runs rulecheck as a hook.
func Runs(line string) bool {
	own, _ := runs(line)
	return own
}
