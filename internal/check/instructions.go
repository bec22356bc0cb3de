package check

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// instructions returns the rule's body with the names of files in place of its
// placeholders. A report prints it once for all findings of the rule, so it names the
// files of all of them.
func instructions(v Verdict) string {
	body := v.Rule.Body
	if !strings.Contains(body, "{") {
		return body
	}
	var triggers, expected []string
	for _, violation := range v.Violations {
		triggers = append(triggers, violation.TriggerFiles...)
		expected = append(expected, violation.Expected...)
	}
	slices.Sort(triggers)
	triggers = slices.Compact(triggers)
	var fill []string
	put := func(placeholder string, paths func() []string) {
		if strings.Contains(body, placeholder) { // the names may be thousands
			fill = append(fill, placeholder, finding.ShortPathList(paths()))
		}
	}
	put("{trigger_file}", func() []string { return triggers })
	put("{trigger_files}", func() []string { return triggers })
	put("{expected_files}", func() []string { return expected })
	put("{created_files}", func() []string { return createdAmong(v.Changeset.Changes, triggers) })
	return strings.NewReplacer(fill...).Replace(body)
}

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
