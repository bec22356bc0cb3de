package correspondence

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// subject is one rule over one changeset, while its facts are established.
type subject struct {
	rule     *rule.Rule
	names    []name
	changes  []diff.Change
	hits     hitsByParam
	excluded map[int]bool // names
	files    []string     // nil: existence is not asked
}

func (s *subject) markExcluded() {
	s.excluded = map[int]bool{}
	for _, hits := range s.hits[exclude] {
		for _, h := range hits {
			s.excluded[h.name] = true
		}
	}
}

// matches lists, per parameter, each name that one of its patterns matches,
// with the captures of the first that does.
func (s *subject) matches(mode policies.Mode) map[string][]Match {
	matches := map[string][]Match{}
	if slices.Contains(mode.Facts, policies.FactMatches) {
		for _, p := range mode.Params {
			if _, ok := s.hits[p.Name]; ok {
				matches[p.Name] = s.matchesOf(p.Name, s.excluded)
			}
		}
	}
	if _, ok := s.hits[safety]; ok {
		matches[safety] = s.matchesOf(safety, nil)
	}
	return matches
}

func (s *subject) matchesOf(param string, excluded map[int]bool) []Match {
	first := map[int]pattern.Captures{}
	for _, hits := range s.hits[param] {
		for _, h := range hits {
			if _, ok := first[h.name]; !ok && !excluded[h.name] {
				first[h.name] = h.captures
			}
		}
	}
	matches := make([]Match, 0, len(first))
	for _, n := range slices.Sorted(maps.Keys(first)) {
		matches = append(matches, Match{s.names[n].path, orEmpty(first[n]), s.changes[s.names[n].change]})
	}
	return matches
}

// trigger is a changed file that demands the others of its correspondence.
type trigger struct {
	param    string
	at       int // of the pattern it belongs to, in param
	name     int
	captures pattern.Captures
}

// triggers assigns every matched name to the pattern with the most literal
// bytes (the first listed, of several) and keeps those that may demand others:
// names that belong to a parameter bound by another one only answer.
func (s *subject) triggers(params []policies.Param) []trigger {
	type claim struct {
		trigger
		literal int
		demands bool
	}
	owner := map[int]claim{}
	for _, p := range params {
		for at, hits := range s.hits[p.Name] {
			for _, h := range hits {
				literal := s.rule.Patterns[p.Name][at].LiteralBytes(s.names[h.name].path)
				if held, ok := owner[h.name]; !ok || literal > held.literal {
					owner[h.name] = claim{trigger{p.Name, at, h.name, h.captures}, literal, demands(p)}
				}
			}
		}
	}
	var triggers []trigger
	for _, n := range slices.Sorted(maps.Keys(owner)) {
		if owner[n].demands && !s.excluded[n] {
			triggers = append(triggers, owner[n].trigger)
		}
	}
	return triggers
}

// demands reports whether files of p ask for their counterparts: all do but
// those that another parameter binds.
func demands(p policies.Param) bool { return p.Captures == "" || p.Captures == policies.CapturesSame }

// answers reports whether files of p are asked for.
func answers(p policies.Param) bool { return p.Captures != "" }

// correspondences groups the triggers by their captures and fills each group's
// places.
func (s *subject) correspondences(mode policies.Mode) []Correspondence {
	params := slices.DeleteFunc(slices.Clone(mode.Params), func(p policies.Param) bool { return s.hits[p.Name] == nil })
	// Those that demand come first, so that a tie in literal bytes is theirs.
	slices.SortStableFunc(params, func(a, b policies.Param) int { return order(demands(b)) - order(demands(a)) })
	groups := map[string][]trigger{}
	for _, t := range s.triggers(params) {
		key := keyOf(t.captures)
		groups[key] = append(groups[key], t)
	}
	correspondences := make([]Correspondence, 0, len(groups))
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		triggers := groups[key]
		correspondences = append(correspondences, Correspondence{
			Captures: orEmpty(triggers[0].captures),
			Members:  s.members(params, triggers),
		})
	}
	return correspondences
}

// members lists the places that answer, in the order of the patterns, and
// then, in byte order, the triggers that are none of them but one of the files
// that a place with wildcards stands for.
func (s *subject) members(params []policies.Param, triggers []trigger) []Member {
	var members []Member
	pending := map[string]trigger{}
	for _, t := range triggers {
		pending[s.names[t.name].path] = t
	}
	answering := map[string]bool{}
	for _, param := range params {
		if !answers(param) {
			continue
		}
		answering[param.Name] = true
		for _, p := range s.rule.Patterns[param.Name] {
			m := s.place(param.Name, p, triggers[0].captures)
			if t, ok := pending[m.Path]; ok && t.param == param.Name {
				m.Trigger = true
				delete(pending, m.Path)
			}
			members = append(members, m)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(pending)) {
		t := pending[path]
		m := Member{
			Param: t.param, Path: path, Changed: true, Exists: !s.names[t.name].gone,
			SatisfiedBy: []string{path}, Trigger: true,
		}
		if answering[t.param] {
			m.Pattern = s.rule.Patterns[t.param][t.at].Expand(t.captures)
		}
		members = append(members, m)
	}
	return members
}

// place is one pattern of a correspondence with its captures bound.
func (s *subject) place(param string, p *pattern.Pattern, captures pattern.Captures) Member {
	if path, ok := p.Path(captures); ok {
		return s.placeAt(param, path)
	}
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	for _, n := range s.names[s.from(bound.Prefix()):] {
		if !strings.HasPrefix(n.path, bound.Prefix()) {
			break
		}
		if _, ok := bound.Match(n.path); ok {
			m.SatisfiedBy = append(m.SatisfiedBy, n.path)
			m.Exists = m.Exists || !n.gone
		}
	}
	m.Changed = len(m.SatisfiedBy) > 0
	m.Exists = m.Exists || s.existsUnchanged(bound)
	return m
}

// placeAt is a place where only one file can be, as most are.
func (s *subject) placeAt(param, path string) Member {
	m := Member{Param: param, Path: path, SatisfiedBy: []string{}}
	if at := s.from(path); at < len(s.names) && s.names[at].path == path {
		m.SatisfiedBy = append(m.SatisfiedBy, path)
		m.Changed, m.Exists = true, !s.names[at].gone
	}
	if !m.Exists {
		_, m.Exists = slices.BinarySearch(s.files, path)
	}
	return m
}

// from is the first name that does not sort before prefix.
func (s *subject) from(prefix string) int {
	return sort.Search(len(s.names), func(i int) bool { return s.names[i].path >= prefix })
}

// existsUnchanged looks among the files at head.
func (s *subject) existsUnchanged(bound *pattern.Pattern) bool {
	at, _ := slices.BinarySearch(s.files, bound.Prefix())
	for ; at < len(s.files) && strings.HasPrefix(s.files[at], bound.Prefix()); at++ {
		if _, ok := bound.Match(s.files[at]); ok {
			return true
		}
	}
	return false
}

// keyOf makes captures comparable and orders groups by them. NUL occurs in no path.
func keyOf(c pattern.Captures) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(c)) {
		b.WriteString(k + "\x00" + c[k] + "\x00")
	}
	return b.String()
}

func orEmpty(c pattern.Captures) pattern.Captures {
	if c == nil {
		return pattern.Captures{}
	}
	return c
}
