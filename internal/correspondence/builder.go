package correspondence

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/inside"
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

	documents map[inFile]inside.Document // at head, which the rule expects to have parts
	byName    map[*pattern.Pattern]map[string][]hit

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

// isExcluded reports whether a name cannot trigger the rule: "exclude" matches it, or only parts
// of the file changed that "ignore" names.
func (f *factBuilder) isExcluded(name int) bool {
	_, excluded := slices.BinarySearch(f.excluded, name)
	return excluded || f.ignored[f.names[name].change]
}

// excludes reports whether a hit cannot trigger the rule: its name cannot, "status" does not
// name what happened to its part or else to the file, or a part inside it changed, which is more
// exact.
func (f *factBuilder) excludes(h hit) bool {
	status := string(f.changes[f.names[h.name].change].Status)
	if h.part != nil {
		status = h.part.Status
	}
	return h.outer || f.isExcluded(h.name) || len(f.rule.Statuses) > 0 && !slices.Contains(f.rule.Statuses, status)
}

// mayTrigger reports whether a hit of a pattern may trigger the rule, as far as is known: the
// status of a part is not before parts are read.
func (f *factBuilder) mayTrigger(p *pattern.Pattern, h hit) bool {
	return !f.excludes(h) || p.HasPart() && h.part == nil && !f.isExcluded(h.name)
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
		matches[rule.Safety] = f.matchesOf(rule.Safety, func(hit) bool { return false })
	}
	return matches
}

// matchesOf lists the names that patterns of a parameter match: each once, or once for each text
// that they capture in parts.
func (f *factBuilder) matchesOf(param string, excludes func(hit) bool) []Match {
	all := slices.Concat(f.hits[param]...)
	slices.SortStableFunc(all, func(a, b hit) int { return a.name - b.name })
	matches := make([]Match, 0, len(all))
	last := -1
	for _, h := range all {
		if excludes(h) {
			continue
		}
		captures := orEmpty(h.captures).Plain()
		at := len(matches) - 1
		if h.name != last || h.part != nil && !maps.Equal(matches[at].Captures, captures) {
			n := f.names[h.name]
			matches = append(matches, Match{Path: n.path, Captures: captures, Change: f.changes[n.change]})
			at++
		}
		if h.part != nil && len(matches[at].Parts) < manyParts {
			matches[at].Parts = append(matches[at].Parts, *h.part)
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
