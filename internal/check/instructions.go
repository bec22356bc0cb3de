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
	var triggers, expected []string
	for _, violation := range v.violations {
		triggers = append(triggers, violation.TriggerFiles...)
		expected = append(expected, violation.Expected...)
	}
	triggers = once(triggers)
	var fill []string
	put := func(placeholder string, paths func() []string) {
		if strings.Contains(r.Body, placeholder) { // the names may be thousands
			fill = append(fill, placeholder, enumerate(paths()))
		}
	}
	put("{trigger_file}", func() []string { return triggers })
	put("{trigger_files}", func() []string { return triggers })
	put("{expected_files}", func() []string { return expected })
	put("{created_files}", func() []string { return createdAmong(v.changeset.Changes, triggers) })
	return strings.NewReplacer(fill...).Replace(r.Body)
}

// createdAmong are those of names, in byte order, that are new files.
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

// enumerate writes each path once, in byte order.
func enumerate(paths []string) string {
	paths = once(paths)
	for i, p := range paths {
		paths[i] = finding.Printable(p)
	}
	return strings.Join(paths, ", ")
}

// once gives each path once, in byte order.
func once(paths []string) []string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	return slices.Compact(paths)
}
