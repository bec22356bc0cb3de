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
			if h.key == nil || f.excludes(h) {
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
	exists, last := false, -1
	for _, h := range f.hitsOf(param, at, bound) {
		exists = exists || h.key.Status != keys.Deleted
		if h.name == last {
			continue
		}
		last = h.name
		if !f.addFile(&m, h.name) && exists {
			break
		}
	}
	m.Changed, m.Exists = len(m.SatisfiedBy) > 0, exists || f.keyExists(bound)
	return m
}

// hitsOf returns the hits of a pattern of keys that match it with its captures bound.
func (f *factBuilder) hitsOf(param string, at int, bound *pattern.Pattern) []hit {
	p, hits := f.rule.Patterns[param][at], f.hits[param][at]
	matchesKey := func(string) bool { return true }
	if p.CapturesKeys() {
		ofKey := bound.Keys(nil)
		if pointer, ok := ofKey.Pointer(); ok {
			hits = f.hitsByPointer(p, hits)[pointer]
		} else {
			matchesKey = func(pointer string) bool { _, ok := ofKey.Match(pointer); return ok }
		}
	}
	if path, ok := bound.FilePath(); ok {
		from, _ := slices.BinarySearchFunc(hits, path, func(h hit, path string) int { return strings.Compare(f.names[h.name].path, path) })
		to := from
		for to < len(hits) && f.names[hits[to].name].path == path {
			to++
		}
		hits = hits[from:to]
	}
	var matching []hit
	for _, h := range hits {
		if _, ok := bound.Match(f.names[h.name].path); ok && h.key != nil && matchesKey(h.key.Pointer) {
			matching = append(matching, h)
		}
	}
	return matching
}

// hitsByPointer returns the hits of a pattern by the pointer of the key, in the order of names.
func (f *factBuilder) hitsByPointer(p *pattern.Pattern, hits []hit) map[string][]hit {
	if f.byPointer[p] == nil {
		byPointer := make(map[string][]hit, len(hits))
		for _, h := range hits {
			if h.key != nil {
				byPointer[h.key.Pointer] = append(byPointer[h.key.Pointer], h)
			}
		}
		if f.byPointer == nil {
			f.byPointer = map[*pattern.Pattern]map[string][]hit{}
		}
		f.byPointer[p] = byPointer
	}
	return f.byPointer[p]
}

// keyExists reports whether a key that a pattern matches, whose captures are bound, exists at
// head; only if the rule asks.
func (f *factBuilder) keyExists(bound *pattern.Pattern) bool {
	if f.documents == nil {
		return false
	}
	ofKey := bound.Keys(nil)
	has := func(path string) bool {
		d := f.documents[path]
		if pointer, ok := ofKey.Pointer(); ok {
			return d.Has(pointer)
		}
		return d.HasAny(func(pointer string) bool { _, ok := ofKey.Match(pointer); return ok })
	}
	if path, ok := bound.FilePath(); ok {
		return has(path)
	}
	for i := range f.present.Match(bound) {
		if has(f.files[i]) {
			return true
		}
	}
	return false
}
