package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// messageOf returns the message of a violation that has none: what changed, and without what.
// names lists what changed, with keys; empty: the trigger files. It is empty for a violation
// without any, as of rules about sessions.
func messageOf(v *Violation, names []string, mode policies.Mode, params map[string]any) string {
	if len(names) == 0 {
		names = v.TriggerFiles
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(v.Expected, name) })
	changed, without, have := "changed", "without", "has"
	if createdOnly(mode) {
		changed, without = "was created", "without a change of"
	}
	if len(names) > 1 {
		have = "have"
	}
	switch {
	case len(names) == 0:
		return ""
	case len(v.Expected) > 0:
		if checksExistence(mode, params) {
			without = "but " + have + " no"
		}
		return strings.Join([]string{listed(names, ", "), changed, without, lacking(v.Expected, params)}, " ")
	case len(v.TriggerFiles) > 1:
		return fmt.Sprintf("%d files %s: %s", len(v.TriggerFiles), changed, listed(names, ", "))
	default:
		return finding.Printable(names[0]) + " " + changed
	}
}

// fewNames is how many names a message shows of a list that has more.
const fewNames = 3

// listed returns names as text in one line, the first few of many.
func listed(names []string, separator string) string {
	texts := make([]string, 0, len(names))
	for _, name := range names {
		texts = append(texts, finding.Printable(name))
	}
	slices.Sort(texts)
	if more := len(texts) - fewNames; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:fewNames], ", "), more)
	}
	return strings.Join(texts, separator)
}

// lacking returns what a change lacks as text, with "or" if one of them is enough.
func lacking(expected []string, params map[string]any) string {
	for _, value := range params {
		if alternatives, ok := value.(map[string]any); ok && alternatives["any"] != nil {
			return listed(expected, " or ")
		}
	}
	return listed(expected, ", ")
}

// createdOnly reports whether a mode is about files that did not exist before.
func createdOnly(mode policies.Mode) bool {
	return slices.ContainsFunc(mode.Params, func(p policies.Param) bool { return slices.Equal(p.Statuses, []string{string(diff.Added)}) })
}

func checksExistence(mode policies.Mode, params map[string]any) bool {
	return slices.ContainsFunc(mode.Params, func(p policies.Param) bool {
		return p.CheckOf(cmp.Or(params[p.Name], p.Default)) == policies.CheckExistence
	})
}
