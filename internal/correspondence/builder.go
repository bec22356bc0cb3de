package correspondence

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// factBuilder establishes the facts of one rule about one changeset.
type factBuilder struct {
	rule     *rule.Rule
	names    []name
	changes  []diff.Change
	hits     hitsByParam
	excluded []int          // indexes of names, in order
	ignored  ignoredChanges //
	changed  *pattern.Paths // of names
	files    []string       // at head; nil: the rule does not ask which files exist
	present  *pattern.Paths // of files; nil if these are
	listed   int            // files in SatisfiedBy of members with wildcards

	filtered  []string // captures of a set that a pattern writes through a filter
	changedBy map[*pattern.Pattern]map[string][]int
	presentBy map[*pattern.Pattern]map[string][]string
}

// builder returns a builder of the facts of a rule.
func (m *Matched) builder(i int) *factBuilder {
	f := &factBuilder{rule: m.rules[i], names: m.names, changes: m.changes, hits: m.hits[i], ignored: m.ignored[i]}
	f.markExcluded()
	return f
}

func (f *factBuilder) markExcluded() {
	for _, hits := range f.hits[rule.Exclude] {
		for _, h := range hits {
			f.excluded = append(f.excluded, h.name)
		}
	}
	slices.Sort(f.excluded)
}

// excludes reports whether a name cannot trigger the rule: "exclude" matches it, "status" does
// not name what happened to it, or only parts of it changed that "ignore" names.
func (f *factBuilder) excludes(name int) bool {
	_, excluded := slices.BinarySearch(f.excluded, name)
	change := f.names[name].change
	status := f.changes[change].Status
	return excluded || f.ignored[change] || len(f.rule.Statuses) > 0 && !slices.Contains(f.rule.Statuses, string(status))
}

// matches lists, per parameter, each name that one of its patterns matches,
// with the captures of the first that does.
func (f *factBuilder) matches(mode policies.Mode) map[string][]Match {
	matches := map[string][]Match{}
	if slices.Contains(mode.Facts, policies.FactMatches) {
		for _, p := range mode.Params {
			if _, ok := f.hits[p.Name]; ok {
				matches[p.Name] = f.matchesOf(p.Name, f.excludes)
			}
		}
	}
	if _, ok := f.hits[rule.Safety]; ok {
		matches[rule.Safety] = f.matchesOf(rule.Safety, func(int) bool { return false })
	}
	return matches
}

func (f *factBuilder) matchesOf(param string, excludes func(name int) bool) []Match {
	all := slices.Concat(f.hits[param]...)
	slices.SortStableFunc(all, func(a, b hit) int { return a.name - b.name })
	matches := make([]Match, 0, len(all))
	last := -1
	for _, h := range all {
		if h.name != last && !excludes(h.name) {
			n := f.names[h.name]
			matches = append(matches, Match{Path: n.path, Captures: orEmpty(h.captures), Change: f.changes[n.change]})
		}
		if at := len(matches) - 1; h.key != nil && at >= 0 && matches[at].Path == f.names[h.name].path && len(matches[at].Keys) < manyKeys {
			matches[at].Keys = append(matches[at].Keys, *h.key)
		}
		last = h.name
	}
	return matches
}

func orEmpty(c pattern.Captures) pattern.Captures {
	if c == nil {
		return pattern.Captures{}
	}
	return c
}
