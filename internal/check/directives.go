package check

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/policies"
)

// noticesOf returns a notice for each file with directives in the form of other linters, which
// are read, and which one command rewrites.
func noticesOf(verdicts []Verdict) []string {
	var notices []string
	for i := range verdicts {
		files, _ := verdicts[i].Made[policies.FactDirectives].([]ifchange.File)
		for _, f := range files {
			if len(f.Foreign) == 0 {
				continue
			}
			first := f.Foreign[0]
			notice := fmt.Sprintf("%s:%d: %q is the form of another linter; want %q; run rulecheck rules migrate ifttt", f.Path, first.Line, first.Text, first.Want)
			if !slices.Contains(notices, notice) {
				notices = append(notices, notice)
			}
		}
	}
	return notices
}
