package check

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/policies"
)

// unreadKeys returns a notice for each unchanged file whose keys a rule would compare, and that
// cannot be read.
func unreadKeys(verdicts []Verdict) []string {
	var notices []string
	for i := range verdicts {
		byParam, _ := verdicts[i].Made[policies.FactFiles].(map[string][]establish.File)
		for _, files := range byParam {
			for j := range files {
				if files[j].Problem != "" {
					notices = append(notices, fmt.Sprintf("rule %s does not compare %s", verdicts[i].Rule.ID, files[j].Problem))
				}
			}
		}
	}
	slices.Sort(notices)
	return slices.Compact(notices)
}

// noticesOf returns the notices about verdicts, with one for each file with directives in the form of other linters, which
// are read, and which one command rewrites.
func noticesOf(verdicts []Verdict) []string {
	notices := unreadKeys(verdicts)
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
