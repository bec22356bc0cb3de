// Package mine finds rules that the past of a repository followed: which files changed
// together, and which came with new ones.
package mine

import (
	"cmp"
	"slices"

	"github.com/sourcegraph/conc"
)

// Options select rules. The zero value of a field means its default.
type Options struct {
	Min float64 // smallest lower bound of the share of units that hold: 0.85
}

// The newest part of the past proves the rules that the rest suggests.
const (
	provingShare = 0.2
	leastProving = 2   // units in it that hold
	leastProven  = 0.9 // share of them
	leastPresent = 0.3 // share of the triggered units in which a counterpart exists

	mergeLoss    = 0.02 // of the bound, that merging two rules may cost
	leastWhole   = 0.80 // the smallest bound with units of any size
	leastLock    = 0.95 // the smallest bound for rules about manifests and lock files
	captureBonus = 0.05 // of the bound: several different files prove a rule with captures
	minedLess    = 0.05 // of the bound, in the mined part alone

	leastCreated      = 8    // units with new files
	leastCreatedBound = 0.80 // the smallest bound for rules about new files
)

// Mine returns the rules that held, the best first.
func (c *Corpus) Mine(o Options) []Candidate {
	o.Min = cmp.Or(o.Min, 0.85)
	split := c.split()
	traits := c.traits()
	var gates []Candidate
	var group conc.WaitGroup
	group.Go(func() { gates = (&past{Corpus: c, split: split}).gates(traits) })
	g := gather(c, split)
	listings := g.gatherListings(split).forms(leastCreatedBound)
	list := g.supported()
	wanted := make([]bool, len(g.templates))
	for _, f := range listings {
		wanted[f.triggers[0]], wanted[f.places[0]] = true, true
	}
	for _, x := range list {
		wanted[x.a], wanted[x.b] = true, true
	}
	p := &past{Corpus: c, templates: g.templates, matches: matchesOf(c, g.templates, wanted), split: split}
	edges, partly := p.edges(list, listings, o.Min)
	found := p.merge(p.cover(edges), o.Min)
	found = append(found, p.newFiles(list, found)...)
	found = append(found, p.listed(listings, found)...)
	found = append(found, p.alternatives(list, edges, found, o.Min)...)
	group.Wait()
	return p.rules(found, append(p.conditional(partly, traits), gates...))
}

// holds reports whether a form held often enough, in the part that it was mined from, in the
// newest part, and in both.
func (p *past) holds(f form, c counted, least float64) bool {
	if !p.templates[f.triggers[0]].literal() {
		least -= captureBonus
	}
	return c.bound() >= least-minedLess && c.overall() >= least && c.proven()
}

// proven reports whether a rule held in the part that it was not mined from.
func (c counted) proven() bool {
	return c.since.Held >= leastProving && c.since.share() >= leastProven && !c.missedLast && !c.vanished
}

// scored is a form with what it did.
type scored struct {
	form
	counted
}

// better orders forms: those that held more often first, then those with less literal text.
func (p *past) better(a, b scored) int {
	return cmp.Or(b.before.Held-a.before.Held, p.text(a.form)-p.text(b.form), p.compare(a.form, b.form))
}

func (p *past) text(f form) int {
	n := 0
	for _, id := range f.templates() {
		t := p.templates[id]
		n += len(t.first) + len(t.mid) + len(t.pre) + len(t.post)
	}
	return n
}

// compare makes the order of forms independent of the numbers of their templates.
func (p *past) compare(a, b form) int {
	if c := slices.CompareFunc(a.triggers, b.triggers, p.compareTemplates); c != 0 {
		return c
	}
	return slices.CompareFunc(a.places, b.places, p.compareTemplates)
}

func (p *past) compareTemplates(a, b int32) int {
	return cmp.Compare(p.templates[a].String(), p.templates[b].String())
}
