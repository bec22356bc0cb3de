package correspondence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// manyParts limits the parts of one match that a policy sees.
const manyParts = 100

// compareNames orders the matches of one file: the file, and then its parts.
func compareNames(a, b *part.Change) int {
	switch {
	case a == nil || b == nil:
		return order(a != nil) - order(b != nil)
	default:
		return strings.Compare(a.Name, b.Name)
	}
}

// comparePlaces orders the parts of one file by their places. Triggers without a part, nil, come
// first and are equal.
func comparePlaces(a, b *part.Change) int {
	if a == nil || b == nil {
		return order(a != nil) - order(b != nil)
	}
	return cmp.Or(a.Line-b.Line, a.Column-b.Column)
}

// partPlaces returns the place of the first changed part in each file that may trigger the rule.
func (f *factBuilder) partPlaces(mode policies.Mode) map[string]part.Place {
	var places map[string]part.Place
	for i := range mode.Params {
		if !mode.Params[i].Parts || !canTrigger(mode.Params[i]) {
			continue
		}
		for _, h := range slices.Concat(f.hits[mode.Params[i].Name]...) {
			if h.part == nil || f.excludes(h) {
				continue
			}
			if places == nil {
				places = map[string]part.Place{}
			}
			path := f.names[h.name].path
			if known, ok := places[path]; !ok || cmp.Or(h.part.Line-known.Line, h.part.Column-known.Column) < 0 {
				places[path] = h.part.Place
			}
		}
	}
	return places
}

// memberWithPart returns the member of one pattern of parts, with its captures bound. Files in
// which the part changed satisfy it.
func (f *factBuilder) memberWithPart(param string, at int, captures pattern.Captures) Member {
	p := f.rule.Patterns[param][at]
	m := Member{Param: param, Pattern: p.Expand(captures), SatisfiedBy: []string{}}
	bound := p.Bind(captures)
	exists, last := false, -1
	for _, h := range f.hitsOf(param, at, bound) {
		exists = exists || h.part.Status != part.Deleted
		if h.name == last {
			continue
		}
		last = h.name
		if !f.addFile(&m, h.name) && exists {
			break
		}
	}
	m.Changed, m.Exists = len(m.SatisfiedBy) > 0, exists || f.partExists(bound)
	return m
}

// hitsOf returns the hits of a pattern of parts that match it with its captures bound.
func (f *factBuilder) hitsOf(param string, at int, bound *pattern.Pattern) []hit {
	p, hits := f.rule.Patterns[param][at], f.hits[param][at]
	matchesPart := func(*part.Change) bool { return true }
	if p.CapturesPart() {
		parts := bound.Parts(nil)
		if name, ok := parts.Name(); ok {
			hits = f.hitsByName(p, hits)[name]
		} else {
			matchesPart = func(c *part.Change) bool { _, ok := inside.Match(parts, c); return ok }
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
		if _, ok := bound.Match(f.names[h.name].path); ok && h.part != nil && matchesPart(h.part) {
			matching = append(matching, h)
		}
	}
	return matching
}

// hitsByName returns the hits of a pattern by the names of the part, in the order of names.
func (f *factBuilder) hitsByName(p *pattern.Pattern, hits []hit) map[string][]hit {
	if f.byName[p] == nil {
		byName := make(map[string][]hit, len(hits))
		for _, h := range hits {
			if h.part == nil {
				continue
			}
			byName[h.part.Name] = append(byName[h.part.Name], h)
			if h.part.Also != "" && h.part.Also != h.part.Name {
				byName[h.part.Also] = append(byName[h.part.Also], h)
			}
		}
		if f.byName == nil {
			f.byName = map[*pattern.Pattern]map[string][]hit{}
		}
		f.byName[p] = byName
	}
	return f.byName[p]
}

// partExists reports whether a part that a pattern matches, whose captures are bound, exists at
// head; only if the rule asks.
func (f *factBuilder) partExists(bound *pattern.Pattern) bool {
	if f.documents == nil {
		return false
	}
	parts := bound.Parts(nil)
	has := func(path string) bool {
		d := f.documents[inFile{bound.PartKind(), path}]
		if d == nil {
			return false
		}
		if name, ok := parts.Name(); ok {
			return d.Has(name)
		}
		return d.HasAny(func(name string) bool { _, ok := parts.Match(name); return ok })
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
