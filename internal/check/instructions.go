package check

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// instructions returns the rule's body with the names of files in place of its
// placeholders. A report prints it once for all findings of the rule, so it names the
// files of all of them.
func instructions(v Verdict) string {
	var triggers, expected []string
	for _, violation := range v.Violations {
		triggers = append(triggers, violation.TriggerFiles...)
		expected = append(expected, violation.Expected...)
	}
	return markdown.Fill(v.Rule.Body, func(placeholder string) (names []string, more int, ok bool) {
		switch placeholder {
		case rule.TriggerFile, rule.TriggerFiles:
			names = triggers
		case rule.ExpectedFiles:
			names = expected
		case rule.CreatedFiles:
			names = createdAmong(v.Changeset.Changes, sorted(triggers))
		default:
			return nil, 0, false
		}
		names, more = finding.Few(sorted(names))
		return names, more, true
	})
}

// sorted returns each name once, in byte order.
func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// createdAmong returns those of names, which are in byte order, that are new files.
func createdAmong(changes []diff.Change, names []string) []string {
	var created []string
	for _, c := range changes {
		if c.Status != diff.Added {
			continue
		}
		if _, ok := slices.BinarySearch(names, c.Path); ok {
			created = append(created, c.Path)
		}
	}
	return created
}
