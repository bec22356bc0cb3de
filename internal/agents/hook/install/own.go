package install

import (
	"strings"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
)

// commandKeys are the members of entries that hold command lines.
var commandKeys = []string{"command", "bash", "powershell", "commandWindows"}

// runs reports whether a command line runs rulecheck as a hook, wherever the program is and
// whatever starts it, and whether it only observes.
func runs(line string) (own, observes bool) {
	for _, c := range bash.Read(line, bash.World{Root: "/"}).Commands {
		for i, word := range c.Argv {
			if i+1 < len(c.Argv) && c.Argv[i+1] == "hook" && isProgram(word) {
				own = true
				for _, flag := range c.Argv[i+2:] {
					observes = observes || flag == "--observe"
				}
			}
		}
	}
	return own, observes
}

// isProgram reports whether a word names rulecheck's program, in any directory.
func isProgram(word string) bool {
	name := word[strings.LastIndexAny(word, `/\`)+1:]
	return name == "rulecheck" || strings.EqualFold(name, "rulecheck.exe")
}

// ownEntry returns the literals of an entry's command lines if one of them runs rulecheck
// as a hook.
func ownEntry(v hujson.Value) (lines []*hujson.Value, own bool) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, false
	}
	for i := range object.Members {
		m := &object.Members[i]
		name, isName := m.Name.Value.(hujson.Literal)
		text, isText := m.Value.Value.(hujson.Literal)
		if !isName || !isText || text.Kind() != '"' {
			continue
		}
		for _, key := range commandKeys {
			if name.String() == key {
				lines = append(lines, &m.Value)
				if runsIt, _ := runs(text.String()); runsIt {
					own = true
				}
			}
		}
	}
	return lines, own
}

// ownEntries returns the entries below a value that run rulecheck as a hook.
func ownEntries(v hujson.Value) []hujson.Value {
	if _, own := ownEntry(v); own {
		return []hujson.Value{v}
	}
	var list []hujson.Value
	switch c := v.Value.(type) {
	case *hujson.Array:
		for _, element := range c.Elements {
			list = append(list, ownEntries(element)...)
		}
	case *hujson.Object:
		for _, m := range c.Members {
			list = append(list, ownEntries(m.Value)...)
		}
	}
	return list
}

// has reports whether the container of a document has own entries.
func (d *document) has(container string) bool {
	object, _ := d.root.Value.(*hujson.Object) // parse accepts nothing else
	events := member(object, container)
	return events != nil && len(ownEntries(*events)) > 0
}
