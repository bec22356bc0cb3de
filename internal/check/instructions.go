package check

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// instructions is the rule's body with the names of files in place of its
// placeholders. A report prints it once for all findings of the rule, so it
// speaks of all their files.
func instructions(r *rule.Rule, v verdict) string {
	if !strings.Contains(r.Body, "{") {
		return r.Body
	}
	var triggers, expected, created []string
	for _, violation := range v.violations {
		triggers = append(triggers, violation.TriggerFiles...)
		expected = append(expected, violation.Expected...)
	}
	for _, c := range v.changeset.Changes {
		if c.Status == diff.Added && slices.Contains(triggers, c.Path) {
			created = append(created, c.Path)
		}
	}
	return strings.NewReplacer(
		"{trigger_file}", enumerate(triggers),
		"{trigger_files}", enumerate(triggers),
		"{expected_files}", enumerate(expected),
		"{created_files}", enumerate(created),
	).Replace(r.Body)
}

// enumerate writes each path once, in byte order.
func enumerate(paths []string) string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, p := range paths {
		paths[i] = finding.Printable(p)
	}
	return strings.Join(paths, ", ")
}
