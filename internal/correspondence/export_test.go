package correspondence

import (
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Establish returns the facts of each rule over one changeset; see [Matched.Facts].
func Establish(rules []*rule.Rule, modes policies.Modes, changes []diff.Change, files []string) []Facts {
	return NewMatcher(rules, modes).Match(changes).Facts(files, func(int) bool { return true })
}
