package correspondence

import (
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Matcher matches all patterns of rules with the changed names in one pass. It serves any
// number of changesets, also concurrently.
type Matcher struct {
	rules    []*rule.Rule
	modes    policies.Modes
	patterns []patternRef   // in the order of index
	index    *pattern.Index // matches all patterns
	parted   []int          // rules with patterns of parts
	ignoring []int          // rules that ignore parts of files
}

// patternRef locates a pattern: the index of its rule, and its index in a parameter.
type patternRef struct {
	rule  int
	param string
	at    int
}

// NewMatcher indexes the patterns of rules.
func NewMatcher(rules []*rule.Rule, modes policies.Modes) *Matcher {
	m := &Matcher{rules: rules, modes: modes}
	var patterns []*pattern.Pattern
	for i, r := range rules {
		if hasParts(r) {
			m.parted = append(m.parted, i)
		}
		if ignoring(r) {
			m.ignoring = append(m.ignoring, i)
		}
		for param, ps := range r.Patterns {
			for at, p := range ps {
				m.patterns = append(m.patterns, patternRef{i, param, at})
				patterns = append(patterns, p)
			}
		}
	}
	m.index = pattern.NewIndex(patterns)
	return m
}

// Matched holds the matches of all patterns in one changeset.
type Matched struct {
	*Matcher

	changes []diff.Change
	names   []name
	hits    []hitsByParam          // of each rule
	ignored map[int]ignoredChanges // by rule

	documents map[inFile]inside.Document // at head, that rules expect to have parts
}

// hit is one name that one pattern matches.
type hit struct {
	name     int // into names
	captures pattern.Captures
	part     *part.Change // changed in the file; nil: the pattern is of files
	outer    bool         // a part inside it changed that the pattern matches too
}

// hitsByParam holds, per parameter and per pattern of it, the names it matches
// in byte order.
type hitsByParam map[string][][]hit

// Match matches the patterns with the names of changes, shared out among the processors.
func (m *Matcher) Match(changes []diff.Change) *Matched {
	names := namesOf(changes)
	matched := &Matched{Matcher: m, changes: changes, names: names, hits: make([]hitsByParam, len(m.rules)), ignored: map[int]ignoredChanges{}}
	spans := shares(len(names), processorsFor(len(names)))
	found := iter.Map(spans, func(s *span) [][]hit {
		hits := make([][]hit, len(m.patterns))
		for n := s.from; n < s.to; n++ {
			m.index.Match(names[n].path, func(p int, c pattern.Captures) { hits[p] = append(hits[p], hit{name: n, captures: c}) })
		}
		return hits
	})
	for p, ref := range m.patterns {
		hits := joined(found, p)
		if len(hits) == 0 && !m.always(ref.rule) {
			continue // most patterns, of most changesets
		}
		if matched.hits[ref.rule] == nil {
			matched.hits[ref.rule] = m.noHits(ref.rule)
		}
		matched.hits[ref.rule][ref.param][ref.at] = hits
	}
	return matched
}

// noHits returns room for the hits of a rule.
func (m *Matcher) noHits(i int) hitsByParam {
	patterns := m.rules[i].Patterns
	hits := make(hitsByParam, len(patterns))
	for param, ps := range patterns {
		hits[param] = make([][]hit, len(ps))
	}
	return hits
}

// always reports whether a rule may fire although none of its patterns matches.
func (m *Matcher) always(i int) bool {
	return m.modes.Of(m.rules[i].Mode).Always()
}

// AsksFiles reports whether the facts of a rule depend on files that did not change: it asks
// whether files exist, and a changed name concerns it.
func (m *Matched) AsksFiles() bool {
	for i, r := range m.rules {
		if r.AsksExistence() && m.concerns(i) {
			return true
		}
	}
	return false
}

// concerns reports whether any pattern of a rule matches a changed name.
func (m *Matched) concerns(i int) bool {
	for _, hits := range m.hits[i] {
		if slices.ContainsFunc(hits, func(list []hit) bool { return len(list) > 0 }) {
			return true
		}
	}
	return false
}

// joined returns the hits of one pattern in all shares. Mostly one share has any.
func joined(shares [][][]hit, at int) []hit {
	var all []hit
	for _, share := range shares {
		if all == nil {
			all = share[at]
		} else {
			all = append(all, share[at]...)
		}
	}
	return all
}

// span is a range of names; to is the first that is not in it.
type span struct{ from, to int }

// shares divides n names among so many workers, in order.
func shares(n, workers int) []span {
	spans := make([]span, workers)
	for i := range spans {
		spans[i] = span{n * i / workers, n * (i + 1) / workers}
	}
	return spans
}
