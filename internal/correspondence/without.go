package correspondence

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Without returns the facts as they would be if the rule excluded some more names: those
// trigger nothing, and still satisfy what other files expect.
func (f Facts) Without(names map[string]bool, mode policies.Mode) Facts {
	if len(names) == 0 {
		return f
	}
	limited := Facts{Changes: f.Changes, Parts: f.Parts, Ignored: f.Ignored, Matches: make(map[string][]Match, len(f.Matches))}
	for param, matches := range f.Matches {
		if param != rule.Safety {
			matches = slices.DeleteFunc(slices.Clone(matches), func(m Match) bool { return names[m.Path] })
		}
		limited.Matches[param] = matches
	}
	expected := map[string]bool{}
	for _, p := range mode.Params {
		expected[p.Name] = isExpected(p)
	}
	for _, c := range f.Correspondences {
		members := make([]Member, 0, len(c.Members))
		triggers := false
		for _, m := range c.Members {
			if m.Trigger && names[m.Path] {
				if m.Pattern != "" || !expected[m.Param] {
					continue // no pattern of expected files has this member
				}
				m.Trigger = false
			}
			triggers = triggers || m.Trigger
			members = append(members, m)
		}
		if triggers {
			limited.Correspondences = append(limited.Correspondences, Correspondence{Captures: c.Captures, Members: members})
		}
	}
	return limited
}
