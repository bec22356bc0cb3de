package correspondence

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/keys"
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
	excluded []int          // names, in order
	changed  *pattern.Paths // of names
	files    []string       // nil: existence is not asked
	present  *pattern.Paths // of files; nil likewise
	listed   int            // files that satisfy places with wildcards

	loose     []string // captures whose texts need only be alike
	changedBy map[*pattern.Pattern]map[string][]int
	presentBy map[*pattern.Pattern]map[string][]string
}

func (s *subject) markExcluded() {
	for _, hits := range s.hits[rule.Exclude] {
		for _, h := range hits {
			s.excluded = append(s.excluded, h.name)
		}
	}
	slices.Sort(s.excluded)
}

// excludes reports whether a name triggers nothing: the rule excludes it, or what happened
// to it.
func (s *subject) excludes(name int) bool {
	_, excluded := slices.BinarySearch(s.excluded, name)
	status := s.changes[s.names[name].change].Status
	return excluded || len(s.rule.Statuses) > 0 && !slices.Contains(s.rule.Statuses, string(status))
}

// matches lists, per parameter, each name that one of its patterns matches,
// with the captures of the first that does.
func (s *subject) matches(mode policies.Mode) map[string][]Match {
	matches := map[string][]Match{}
	if slices.Contains(mode.Facts, policies.FactMatches) {
		for _, p := range mode.Params {
			if _, ok := s.hits[p.Name]; ok {
				matches[p.Name] = s.matchesOf(p.Name, s.excludes)
			}
		}
	}
	if _, ok := s.hits[rule.Safety]; ok {
		matches[rule.Safety] = s.matchesOf(rule.Safety, func(int) bool { return false })
	}
	return matches
}

func (s *subject) matchesOf(param string, excludes func(name int) bool) []Match {
	all := slices.Concat(s.hits[param]...)
	slices.SortStableFunc(all, func(a, b hit) int { return a.name - b.name })
	matches := make([]Match, 0, len(all))
	last := -1
	for _, h := range all {
		if h.name != last && !excludes(h.name) {
			n := s.names[h.name]
			matches = append(matches, Match{Path: n.path, Captures: orEmpty(h.captures), Change: s.changes[n.change]})
		}
		if at := len(matches) - 1; h.key != nil && at >= 0 && matches[at].Path == s.names[h.name].path && len(matches[at].Keys) < manyKeys {
			matches[at].Keys = append(matches[at].Keys, *h.key)
		}
		last = h.name
	}
	return matches
}

// trigger is a changed file that demands the others of its correspondence.
type trigger struct {
	param    *policies.Param
	at       int // of the pattern it belongs to, in param
	name     int
	captures pattern.Captures
	key      string // of captures
	changed  *keys.Change
}

// triggers assigns every matched name to the pattern with the most literal
// bytes (the first listed, of several) and keeps those that may demand others:
// names that belong to a parameter bound by another one only answer.
func (s *subject) triggers(params []policies.Param) []trigger {
	var claims []trigger
	for i := range params {
		for at, hits := range s.hits[params[i].Name] {
			for _, h := range hits {
				claims = append(claims, trigger{param: &params[i], at: at, name: h.name, captures: h.captures, changed: h.key})
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b trigger) int { return cmp.Or(a.name-b.name, comparePointers(a.changed, b.changed)) })
	triggers := make([]trigger, 0, len(claims))
	one := func(a, b trigger) bool { return a.name == b.name && comparePointers(a.changed, b.changed) == 0 }
	for claim := range runs(claims, one) {
		if owner := s.owner(claim); demands(*owner.param) && !s.excludes(owner.name) {
			triggers = append(triggers, owner)
		}
	}
	return triggers
}

// owner is that of the claims on a name whose pattern has the most literal bytes.
func (s *subject) owner(claims []trigger) trigger {
	owner := claims[0]
	if len(claims) == 1 {
		return owner
	}
	literal := func(t trigger) int {
		p := s.rule.Patterns[t.param.Name][t.at]
		bytes := p.LiteralBytes(s.names[t.name].path)
		if t.changed != nil {
			bytes += p.KeyLiteralBytes(t.changed.Pointer)
		}
		return bytes
	}
	most := literal(owner)
	for _, c := range claims[1:] {
		if n := literal(c); n > most {
			owner, most = c, n
		}
	}
	return owner
}

// demands reports whether files of p ask for their counterparts: all do but
// those that another parameter binds.
func demands(p policies.Param) bool { return p.Captures == "" || p.Captures == policies.CapturesSame }

// answers reports whether files of p are asked for.
func answers(p policies.Param) bool { return p.Captures != "" }

// correspondences groups the triggers by their captures and fills each group's
// places. A rule whose mode expects files only on request may have none.
func (s *subject) correspondences(mode policies.Mode) []Correspondence {
	params := slices.DeleteFunc(slices.Clone(mode.Params), func(p policies.Param) bool { return s.hits[p.Name] == nil })
	if !slices.ContainsFunc(params, answers) {
		return nil // nothing is expected
	}
	// Those that demand come first, so that a tie in literal bytes is theirs.
	slices.SortStableFunc(params, func(a, b policies.Param) int { return order(demands(b)) - order(demands(a)) })
	if s.loose = loosely(s.rule, mode); len(s.loose) > 0 {
		s.changedBy, s.presentBy = map[*pattern.Pattern]map[string][]int{}, map[*pattern.Pattern]map[string][]string{}
	}
	triggers := s.triggers(params)
	for i := range triggers {
		triggers[i].key = s.key(triggers[i].captures)
	}
	slices.SortFunc(triggers, func(a, b trigger) int {
		return cmp.Or(strings.Compare(a.key, b.key), a.name-b.name, strings.Compare(a.param.Name, b.param.Name), a.at-b.at, comparePlaces(a.changed, b.changed))
	})
	triggers = slices.CompactFunc(triggers, func(a, b trigger) bool { // several keys of a file
		return a.changed != nil && b.changed != nil && a.key == b.key && a.name == b.name && a.param == b.param && a.at == b.at
	})
	correspondences := make([]Correspondence, 0, len(triggers))
	for group := range runs(triggers, func(a, b trigger) bool { return a.key == b.key }) {
		captures, certain := s.captured(group)
		correspondences = append(correspondences, Correspondence{
			Captures: orEmpty(captures),
			Members:  s.members(params, group, captures, certain),
		})
	}
	return correspondences
}

// runs parts a list into the longest runs of what is alike.
func runs[T any](list []T, alike func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for from, to := 0, 1; from < len(list); to++ {
			if to < len(list) && alike(list[from], list[to]) {
				continue
			}
			if !yield(list[from:to:to]) {
				return
			}
			from = to
		}
	}
}

// members lists the places that answer, in the order of the patterns, and
// then, in byte order, the triggers that are none of them but one of the files
// that a place with wildcards stands for.
func (s *subject) members(params []policies.Param, triggers []trigger, captures pattern.Captures, certain []string) []Member {
	key := triggers[0].key
	var members []Member
	for _, param := range params {
		if !answers(param) {
			continue
		}
		members = slices.Grow(members, len(s.rule.Patterns[param.Name])+len(triggers))
		for i, p := range s.rule.Patterns[param.Name] {
			var m Member
			switch {
			case len(s.loose) > 0 && param.Captures == policies.CapturesSame:
				m = s.alike(param.Name, i, key, captures, certain)
			case p.HasKey():
				m = s.placeOfKey(param.Name, i, captures)
			default:
				m = s.place(param.Name, p, captures)
			}
			at, ok := slices.BinarySearchFunc(triggers, m.Path, func(t trigger, path string) int {
				return strings.Compare(s.names[t.name].path, path)
			})
			if ok && triggers[at].param.Name == param.Name {
				m.Trigger = true
				triggers = slices.Delete(triggers, at, at+1)
			}
			members = append(members, m)
		}
	}
	for _, t := range triggers {
		path := s.names[t.name].path
		m := Member{
			Param: t.param.Name, Path: path, Changed: true, Exists: !s.names[t.name].gone,
			SatisfiedBy: []string{path}, Trigger: true,
		}
		if t.changed != nil {
			m.Key = t.changed.Pointer
		}
		if answers(*t.param) {
			m.Pattern = s.rule.Patterns[t.param.Name][t.at].Expand(t.captures)
		}
		members = append(members, m)
	}
	return members
}

// Limits of the files that places with wildcards list: for each place, and for the places of a
// rule together, of which each may otherwise list all files.
const (
	fewFiles  = 10
	manyFiles = 100_000
)

// place is one pattern of a correspondence with its captures bound.
func (s *subject) place(param string, p *pattern.Pattern, captures pattern.Captures) Member {
	if path, ok := p.Path(captures); ok {
		return s.placeAt(param, path)
	}
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	for i := range s.changed.Match(bound) {
		if !s.satisfy(&m, i) {
			break
		}
	}
	s.complete(&m, bound)
	return m
}

// satisfy adds a changed name to the files of a place. It reports whether others matter.
func (s *subject) satisfy(m *Member, name int) bool {
	if len(m.SatisfiedBy) == fewFiles && s.listed >= manyFiles {
		if m.Exists {
			return false
		}
	} else {
		m.SatisfiedBy = append(m.SatisfiedBy, s.names[name].path)
		s.listed++
	}
	m.Exists = m.Exists || !s.names[name].gone
	return true
}

// complete sets what follows from the files of a place, and whether one exists that did not
// change.
func (s *subject) complete(m *Member, bound *pattern.Pattern) {
	m.Changed = len(m.SatisfiedBy) > 0
	if !m.Exists && s.present != nil {
		for range s.present.Match(bound) {
			m.Exists = true
			break
		}
	}
}

// placeAt is a place where only one file can be, as most are.
func (s *subject) placeAt(param, path string) Member {
	m := Member{Param: param, Path: path, SatisfiedBy: []string{}}
	if at := s.from(path); at < len(s.names) && s.names[at].path == path {
		m.SatisfiedBy = []string{path}
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

// keyOf makes captures comparable and orders groups by them. NUL occurs in no path.
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
			b.WriteString(part)
			b.WriteByte(0)
		}
	}
	return b.String()
}

func orEmpty(c pattern.Captures) pattern.Captures {
	if c == nil {
		return pattern.Captures{}
	}
	return c
}
