package correspondence

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// correspondences groups the triggers by their captures and returns a correspondence for
// each group; none if the rule has no patterns of expected files.
func (f *factBuilder) correspondences(mode policies.Mode) []Correspondence {
	params := slices.DeleteFunc(slices.Clone(mode.Params), func(p policies.Param) bool { return f.hits[p.Name] == nil })
	if !slices.ContainsFunc(params, isExpected) {
		return nil
	}
	// Of patterns with equally many literal bytes, those that can trigger the rule win.
	slices.SortStableFunc(params, func(a, b policies.Param) int { return order(canTrigger(b)) - order(canTrigger(a)) })
	if f.filtered = filteredCaptures(f.rule, mode); len(f.filtered) > 0 {
		f.changedBy, f.presentBy = map[*pattern.Pattern]map[string][]int{}, map[*pattern.Pattern]map[string][]string{}
	}
	triggers := f.triggers(params)
	for i := range triggers {
		triggers[i].key = f.key(triggers[i].captures)
	}
	slices.SortFunc(triggers, func(a, b trigger) int {
		return cmp.Or(strings.Compare(a.key, b.key), a.name-b.name, strings.Compare(a.param.Name, b.param.Name), a.at-b.at, comparePlaces(a.changed, b.changed))
	})
	triggers = slices.CompactFunc(triggers, func(a, b trigger) bool { // a file with several changed parts triggers once
		return a.changed != nil && b.changed != nil && a.key == b.key && a.name == b.name && a.param == b.param && a.at == b.at
	})
	correspondences := make([]Correspondence, 0, len(triggers))
	for group := range runs(triggers, func(a, b trigger) bool { return a.key == b.key }) {
		captures, certain := f.captured(group)
		if members := f.members(params, group, captures, certain); len(members) > 0 {
			correspondences = append(correspondences, Correspondence{Captures: orEmpty(captures).Plain(), Members: members})
		}
	}
	return correspondences
}

// runs splits a list into the longest runs of equal elements.
func runs[T any](list []T, equal func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for from, to := 0, 1; from < len(list); to++ {
			if to < len(list) && equal(list[from], list[to]) {
				continue
			}
			if !yield(list[from:to:to]) {
				return
			}
			from = to
		}
	}
}

// keyOf writes captures as one text, to compare and sort them. NUL occurs in no path; in the
// text of a part it is followed by another byte than in between.
func keyOf(c pattern.Captures) string {
	var space [8]string
	names := space[:0]
	for name := range c {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		for _, part := range [...]string{name, c[name]} {
			b.WriteString(strings.ReplaceAll(part, "\x00", "\x00\x01"))
			b.WriteByte(0)
		}
	}
	return b.String()
}
