package mine

// Limits of what is mined. A unit of many files says little about two of them.
const (
	mostGenerating = 30  // names in a unit that rules are generated from
	mostScoring    = 100 // names in a unit that a rule's bound counts
	leastLiteral   = 8   // units in which two files changed together
	leastCaptured  = 5   // the same of two templates with captures
	leastBindings  = 3   // different pairs of files that they matched
)

// candidate is two templates that matched names of the same units.
type candidate struct {
	a, b     int32 // templates
	units    int32 // with names of both
	created  int32 // units in which both names were new
	last     int32 // unit counted last
	lastNew  int32
	bindings [leastBindings]int32 // different names that a matched
	bound    int8                 // number of these
}

// candidates are all pairs of templates with support.
type candidates struct {
	corpus    *Corpus
	templates []template
	ids       map[template]int32
	pairs     map[[2]int32]int32
	list      []candidate
}

// gather counts the pairs of templates in the units before an end.
func gather(c *Corpus, before int32) *candidates {
	g := &candidates{corpus: c, ids: map[template]int32{}, pairs: map[[2]int32]int32{}}
	known := map[[2]int32][]int32{} // the candidates of two names, once they came up
	g.eachUnit(before, func(at int32, names []int32) {
		for i, a := range names {
			for _, b := range names[i+1:] {
				if c.paths[a] > c.paths[b] {
					a, b = b, a
				}
				key := [2]int32{a, b}
				of, seen := known[key]
				if !seen {
					of = g.of(a, b)
					known[key] = of
				}
				both := g.bothNew(a, b, at)
				for _, id := range of {
					g.list[id].count(at, a, both)
				}
			}
		}
	})
	return g
}

// eachUnit calls do with each unit before an end that generates candidates, and with those of
// its names that a pattern can have.
func (g *candidates) eachUnit(before int32, do func(at int32, names []int32)) {
	c := g.corpus
	var names []int32
	for at := range before {
		u := &c.units[at]
		if u.ignored || len(u.names) > mostGenerating {
			continue
		}
		names = names[:0]
		for _, n := range u.names {
			if c.usable[n] {
				names = append(names, n)
			}
		}
		do(at, names)
	}
}

func (g *candidates) bothNew(a, b, at int32) bool {
	x, _ := g.corpus.changedIn(a, at)
	y, _ := g.corpus.changedIn(b, at)
	return x.kind == created && y.kind == created
}

// of returns the candidates of two names.
func (g *candidates) of(a, b int32) []int32 {
	var list []int32
	rare := min(len(g.corpus.events[a]), len(g.corpus.events[b])) < leastLiteral
	generalize(g.corpus.paths[a], g.corpus.paths[b], func(x, y template) {
		if rare && x.literal() {
			return
		}
		key := [2]int32{g.template(x), g.template(y)}
		if key[0] == key[1] {
			return
		}
		id, ok := g.pairs[key]
		if !ok {
			id = number(len(g.list))
			g.pairs[key] = id
			g.list = append(g.list, candidate{a: key[0], b: key[1], last: -1, lastNew: -1})
		}
		list = append(list, id)
	})
	return list
}

func (g *candidates) template(t template) int32 {
	id, ok := g.ids[t]
	if !ok {
		id = number(len(g.templates))
		g.ids[t] = id
		g.templates = append(g.templates, t)
	}
	return id
}

func (c *candidate) count(unit, name int32, bothNew bool) {
	if c.last != unit {
		c.units, c.last = c.units+1, unit
	}
	if bothNew && c.lastNew != unit {
		c.created, c.lastNew = c.created+1, unit
	}
	for i := range c.bound {
		if c.bindings[i] == name {
			return
		}
	}
	if int(c.bound) < len(c.bindings) {
		c.bindings[c.bound] = name
		c.bound++
	}
}

// supported drops the candidates with little support, and what was only needed to count.
func (g *candidates) supported() []candidate {
	g.ids, g.pairs = nil, nil
	var list []candidate
	for _, c := range g.list {
		literal := g.templates[c.a].literal()
		if literal && c.units >= leastLiteral || !literal && c.units >= leastCaptured && c.bound == leastBindings {
			list = append(list, c)
		}
	}
	g.list = nil
	return list
}
