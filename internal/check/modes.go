package check

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// modesOfRules returns the modes of rules, each once.
func modesOfRules(rules []*rule.Rule) []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Mode)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
