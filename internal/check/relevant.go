package check

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// isRelevant reports whether a finding belongs to a commit of the staged names: the
// commit changes a trigger, an expected file, or one that would silence the rule. What
// earlier commits of the branch broke is not reported for this one.
func isRelevant(r *rule.Rule, f finding.Finding, staged map[string]bool) bool {
	if len(f.TriggerFiles) == 0 {
		return true // the violation is of the change as a whole
	}
	isStaged := func(name string) bool { return staged[name] }
	if slices.ContainsFunc(f.TriggerFiles, isStaged) || slices.ContainsFunc(f.Expected, isStaged) {
		return true
	}
	silencers := slices.Clone(r.Patterns[rule.Safety])
	for _, text := range f.Expected {
		// Expected text with wildcards is a pattern; names of files are handled above.
		if p, err := pattern.CompilePart(text); err == nil {
			silencers = append(silencers, p.Outside(rule.OwnDirectory))
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
