package policies

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// hasKey reports whether a mode has a frontmatter key.
func (b *Bundle) hasKey(key string) bool {
	for name := range b.Modes {
		for _, p := range b.Modes.Of(name).Params {
			if top, _, _ := strings.Cut(p.Name, "."); top == key {
				return true
			}
		}
	}
	return false
}

// checkKeys rejects parameters with the name of another key of rule files, such as the common
// ones.
func (b *Bundle) checkKeys(files, common []string) []finding.Problem {
	var problems []finding.Problem
	modules := b.byMode(files)
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		for _, p := range b.Modes.Of(name).Params {
			key, _, _ := strings.Cut(p.Name, ".")
			isMode := b.Modes.Has(key)
			var meaning string
			switch {
			case slices.Contains(common, key):
				meaning = "means the same in every rule"
			case isMode && key != name:
				meaning = "selects the mode of that name"
			default:
				continue
			}
			err := fmt.Errorf("custom.params: %q %s; want another name", key, meaning)
			problems = append(problems, inMetadata(declarationsOf(modules[name])[0], p.Name+":", err))
		}
	}
	return problems
}
