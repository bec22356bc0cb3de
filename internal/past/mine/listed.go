package mine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Limits of rules about an index: a file that changes with any file of a kind.
const (
	leastListed     = 8   // units in which the index changed with a file of the kind
	mostListedShare = 0.3 // share of all units in which the index changes: of more, a change is no sign
)

// listing is a kind of files and the index that changed with one of them.
type listing struct {
	kind, index int32 // templates
	created     bool  // counted in units with a new file of the kind
}

// support counts the units of a listing.
type support struct {
	units, last int32
	names       distinct // files of the kind
	indexes     distinct
}

// distinct counts different names, up to as many as are needed.
type distinct struct {
	names [leastBindings]int32
	n     int8
}

func (d *distinct) add(name int32) {
	if int(d.n) < len(d.names) && !slices.Contains(d.names[:d.n], name) {
		d.names[d.n] = name
		d.n++
	}
}

// listings counts how often an index changed with a file of a kind.
type listings struct {
	*candidates

	support map[listing]*support
}

// gatherListings counts in the units before an end.
func (g *candidates) gatherListings(before int32) *listings {
	l := &listings{candidates: g, support: map[listing]*support{}}
	c := g.corpus
	g.eachUnit(before, func(at int32, names []int32) {
		for _, n := range names {
			e, _ := c.changedIn(n, at)
			if e.kind == created {
				l.countNew(n, at, names)
			}
			if e.kind != gone && isManifest(c.paths[n]) && !isLock(c.paths[n]) {
				l.countManifest(n, at, names)
			}
		}
	})
	return l
}

// countNew counts a new file as one of its kinds, with the other files that changed.
func (l *listings) countNew(n, at int32, names []int32) {
	c := l.corpus
	path := c.paths[n]
	dir, _ := split(path)
	shapes := shapes(path)
	kinds := kinds(path, shapes)
	for _, kind := range kinds {
		l.add(listing{l.template(kind), noIndex, true}, at, n, n)
	}
	for _, b := range names {
		if !l.changed(b, at) || b == n {
			continue
		}
		dirB, baseB := split(c.paths[b])
		if len(c.events[b]) >= leastListed && c.end[b] {
			for _, kind := range kinds {
				l.pair(kind, template{mid: dirB, pre: baseB}, true, at, n, b)
			}
		}
		if prefix := commonDirs(dir, dirB); prefix != "" && (prefix == dir || prefix == dirB) {
			for _, kind := range shapes {
				kind.root, kind.mid = anyRoot, trimDir(dir, prefix)
				l.add(listing{l.template(kind), noIndex, true}, at, n, n)
				l.pair(kind, template{root: anyRoot, mid: trimDir(dirB, prefix), pre: baseB}, true, at, n, b)
			}
		}
	}
}

// countManifest counts a manifest as one of those with its name, with the lock files that
// changed: one lock file is often that of many manifests.
func (l *listings) countManifest(n, at int32, names []int32) {
	c := l.corpus
	dir, base := split(c.paths[n])
	kinds := []template{{root: anyRoot, pre: base}}
	for above, _ := split(dir); above != ""; above, _ = split(above) {
		kinds = append(kinds, template{mid: above, path: true, pre: base})
	}
	for _, kind := range kinds {
		l.add(listing{l.template(kind), noIndex, false}, at, n, n)
	}
	for _, b := range names {
		if isLock(c.paths[b]) && l.changed(b, at) && c.end[b] {
			dirB, baseB := split(c.paths[b])
			for _, kind := range kinds {
				l.pair(kind, template{mid: dirB, pre: baseB}, false, at, n, b)
			}
		}
	}
}

// changed reports whether a unit changed a file that existed.
func (l *listings) changed(name, at int32) bool {
	e, _ := l.corpus.changedIn(name, at)
	return e.kind == modified
}

// noIndex is the index of the listings that count the units of a kind.
const noIndex = -1

func (l *listings) pair(kind, index template, created bool, at, name, with int32) {
	l.add(listing{l.template(kind), l.template(index), created}, at, name, with)
}

func (l *listings) add(key listing, at, name, index int32) {
	s := l.support[key]
	if s == nil {
		s = &support{last: -1}
		l.support[key] = s
	}
	if s.last != at {
		s.units, s.last = s.units+1, at
	}
	s.names.add(name)
	s.indexes.add(index)
}

// forms returns the forms with support.
func (l *listings) forms(least float64) []form {
	var forms []form
	for at, s := range l.support {
		of := l.support[listing{at.kind, noIndex, at.created}]
		if at.index == noIndex || s.units < leastListed || s.names.n < leastBindings || l.templates[at.index].root != noRoot && s.indexes.n < leastBindings || float64(s.units) < least*float64(of.units) {
			continue
		}
		index := l.templates[at.index]
		if !index.literal() && l.templates[at.kind].matchesName(index.pre) && l.templates[at.kind].mid == index.mid {
			continue
		}
		if index.literal() {
			path := index.String()
			share := float64(len(l.corpus.events[l.corpus.ids[path]])) / float64(len(l.corpus.units))
			if _, itself := l.templates[at.kind].match(path); itself || share > mostListedShare {
				continue
			}
		}
		mode := ModePair
		if at.created {
			mode = ModeCreated
		}
		forms = append(forms, form{mode: mode, triggers: []int32{at.kind}, places: []int32{at.index}, change: true})
	}
	return forms
}

// listed returns the rules about the indexes of new files.
func (p *past) listed(forms []form, found []scored) []scored {
	forms = slices.DeleteFunc(forms, func(f form) bool {
		return f.mode != ModeCreated || p.backwards(f.triggers[0], f.places[0]) || p.ofVersions(f.triggers[0])
	})
	kept := p.score(forms, func(_ form, c counted) bool {
		return c.before.Triggered >= leastCreated && lowerBound(c.before.Held, c.before.Triggered) >= leastCreatedBound-minedLess &&
			c.overall() >= leastCreatedBound && c.proven()
	})
	slices.SortFunc(kept, func(a, b scored) int {
		return cmp.Or(b.before.Held-a.before.Held, p.text(b.form)-p.text(a.form), p.compare(a.form, b.form))
	})
	return p.coverUnits(p.coverAfter(kept, found))
}

// coverUnits drops a form if another asks for the same index in the same units.
func (p *past) coverUnits(list []scored) []scored {
	type asked struct{ unit, index int32 }
	known := map[asked]bool{}
	return slices.DeleteFunc(list, func(s scored) bool {
		own := map[asked]bool{}
		p.each(s.form, mostScoring, func(o occurrence) {
			for _, place := range o.places {
				own[asked{o.unit, place}] = true
			}
		})
		all := len(own)
		maps.DeleteFunc(own, func(at asked, _ bool) bool { return known[at] })
		maps.Copy(known, own)
		return 2*len(own) < all
	})
}

// versioned matches what begins with a version.
var versioned = lazyregexp.New(`^v?\d+\.\d+`)

// ofVersions reports whether most files of a template are named after a version: a release
// makes them, and with them everything that belongs to it.
func (p *past) ofVersions(t int32) bool {
	versions := 0
	for _, name := range p.matches[t] {
		if bound, _ := p.templates[t].match(p.paths[name]); versioned().MatchString(bound.name) {
			versions++
		}
	}
	return 2*versions > len(p.matches[t])
}
