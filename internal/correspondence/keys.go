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

// comparePointers orders the matches of one file: the file, and then its keys.
func comparePointers(a, b *keys.Change) int {
	switch {
	case a == nil || b == nil:
		return order(a != nil) - order(b != nil)
	default:
		return strings.Compare(a.Pointer, b.Pointer)
	}
}

// comparePlaces orders the keys of one file by their places. Triggers without a key, nil, come
// first and are equal.
func comparePlaces(a, b *keys.Change) int {
	if a == nil || b == nil {
		return order(a != nil) - order(b != nil)
	}
	return cmp.Or(a.Line-b.Line, a.Column-b.Column)
}

// keyPlaces returns the place of the first changed key in each file that may trigger the rule.
func (f *factBuilder) keyPlaces(mode policies.Mode) map[string]keys.Place {
	var places map[string]keys.Place
	for i := range mode.Params {
		if !mode.Params[i].Keys || !canTrigger(mode.Params[i]) {
			continue
		}
		for _, h := range slices.Concat(f.hits[mode.Params[i].Name]...) {
			if h.key == nil {
				continue
			}
			if places == nil {
				places = map[string]keys.Place{}
			}
			path := f.names[h.name].path
			if known, ok := places[path]; !ok || cmp.Or(h.key.Line-known.Line, h.key.Column-known.Column) < 0 {
				places[path] = h.key.Place
			}
		}
	}
	return places
}

// memberWithKey returns the member of one pattern of keys, with its captures bound. Files in
// which the key changed satisfy it.
func (f *factBuilder) memberWithKey(param string, at int, captures pattern.Captures) Member {
	p := f.rule.Patterns[param][at]
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	hits := f.hits[param][at]
	if path, ok := bound.FilePath(); ok {
		from, _ := slices.BinarySearchFunc(hits, path, func(h hit, path string) int { return strings.Compare(f.names[h.name].path, path) })
		to := from
		for to < len(hits) && f.names[hits[to].name].path == path {
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
		if _, ok := bound.Match(f.names[h.name].path); ok && !f.addFile(&m, h.name) {
			break
		}
	}
	f.finish(&m, bound)
	return m
}
