package correspondence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// manyKeys limits the keys of one match that a policy sees.
const manyKeys = 100

// comparePointers orders matches of one file: itself, and then its keys.
func comparePointers(a, b *keys.Change) int {
	switch {
	case a == nil || b == nil:
		return order(a != nil) - order(b != nil)
	default:
		return strings.Compare(a.Pointer, b.Pointer)
	}
}

// comparePlaces orders keys of one file as the file has them; nil, of triggers that are files,
// is equal to nil.
func comparePlaces(a, b *keys.Change) int {
	if a == nil || b == nil {
		return order(a != nil) - order(b != nil)
	}
	return cmp.Or(a.Line-b.Line, a.Column-b.Column)
}

// places returns the place of the first changed key in each file that may trigger the rule.
func (s *subject) places(mode policies.Mode) map[string]keys.Place {
	var places map[string]keys.Place
	for i := range mode.Params {
		if !mode.Params[i].Keys || !demands(mode.Params[i]) {
			continue
		}
		for _, h := range slices.Concat(s.hits[mode.Params[i].Name]...) {
			if h.key == nil {
				continue
			}
			if places == nil {
				places = map[string]keys.Place{}
			}
			path := s.names[h.name].path
			if known, ok := places[path]; !ok || cmp.Or(h.key.Line-known.Line, h.key.Column-known.Column) < 0 {
				places[path] = h.key.Place
			}
		}
	}
	return places
}

// placeOfKey is a key in the files of one pattern with its captures bound. It is satisfied by
// the files in which the key changed.
func (s *subject) placeOfKey(param string, at int, captures pattern.Captures) Member {
	p := s.rule.Patterns[param][at]
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	hits := s.hits[param][at]
	if path, ok := bound.FilePath(); ok {
		from, _ := slices.BinarySearchFunc(hits, path, func(h hit, path string) int { return strings.Compare(s.names[h.name].path, path) })
		to := from
		for to < len(hits) && s.names[hits[to].name].path == path {
			to++
		}
		hits = hits[from:to]
	}
	last := -1
	for _, h := range hits {
		if h.name == last {
			continue
		}
		last = h.name
		if _, ok := bound.Match(s.names[h.name].path); ok && !s.satisfy(&m, h.name) {
			break
		}
	}
	s.complete(&m, bound)
	return m
}
