package rule

import "github.com/rulecheck/rulecheck/internal/pattern"

// OwnDirectory holds rules, policies and configuration, at the root or in any directory. Its
// files are no changes of the directory that they are in: only patterns that name it match
// them.
const OwnDirectory = ".rulecheck"

// outsideOwn returns the patterns of a key as they are about changes.
func outsideOwn(name string, patterns []*pattern.Pattern) []*pattern.Pattern {
	if name == Exclude {
		return patterns
	}
	list := make([]*pattern.Pattern, len(patterns))
	for i, p := range patterns {
		list[i] = p.Outside(OwnDirectory)
	}
	return list
}
