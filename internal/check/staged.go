package check

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// concerns reports whether a commit of the staged names has to do with f: it
// changes a trigger, a file that was expected, or one that would silence the
// rule. What was broken earlier on the branch is not this commit's matter.
func concerns(r *rule.Rule, f finding.Finding, staged map[string]bool) bool {
	isStaged := func(name string) bool { return staged[name] }
	if slices.ContainsFunc(f.TriggerFiles, isStaged) || slices.ContainsFunc(f.Expected, isStaged) {
		return true
	}
	silencers := slices.Clone(r.Patterns["safety"])
	for _, text := range f.Expected {
		// An expected place with wildcards is a pattern; a file's name that is
		// none has been looked for above.
		if p, err := pattern.Compile(text); err == nil {
			silencers = append(silencers, p)
		}
	}
	for _, p := range silencers {
		for name := range staged {
			if _, ok := p.Match(name); ok {
				return true
			}
		}
	}
	return false
}
