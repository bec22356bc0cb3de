package mine

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Hint names files that belong together, as people wrote it.
type Hint struct {
	A, B  string // globs
	Cases int    // how many cases in which a rule held the statement counts as
}

// Proven is a rule that a hint led to.
type Proven struct {
	Candidate

	Hint int // its number
}

// Limits of rules that were written down. The statement is a second witness, so that they need
// fewer cases, but no smaller share of them holds.
const (
	leastHinted     = 3       // units of the mined part in which the files changed together
	leastHintedName = 2       // different files, where patterns have captures
	mostHintedShare = 0.2     // share of all units that change a partner: of more, a change is no sign
	mostHinted      = 10_000  // forms that are counted
	leastSeen       = 0.2     // share of the units of a trigger in which the files were seen together
	mostNamed       = 8       // files that a glob matches, each of which it names
	mostSeen        = 32      // units of a form that are not counted twice
	mostVisits      = 1 << 20 // pairs of names in units, for all hints
	mostOfHint      = 1 << 15 // for one
	mostBroad       = 300     // files in each of two directories that a hint names
)

// Prove returns the rules to which hints lead and which the past followed, the best first.
func (c *Corpus) Prove(hints []Hint, o Options) []Proven {
	h := &hinted{
		candidates: &candidates{corpus: c, ids: map[template]int32{}},
		by:         map[single]*hintedSupport{}, pairsOf: map[[2]int32][]*hintedSupport{}, newOf: map[[2]int32][]*hintedSupport{}, kindsOf: map[[2]int32][]int32{},
		globs: map[string]int32{}, hints: hints, split: c.split(),
	}
	h.gather()
	list := h.supported()
	wanted := make([]bool, len(h.templates))
	for _, f := range list {
		for _, t := range f.templates() {
			wanted[t] = true
		}
	}
	p := &past{Corpus: c, templates: h.templates, matches: matchesOf(c, h.templates, wanted), split: h.split}
	triggered := p.triggered()
	list = slices.DeleteFunc(list, func(f form) bool {
		units := h.by[single{f.triggers[0], f.places[0], f.mode == ModeCreated, f.change}].units
		rare := f.mode == ModePair && float64(units) < leastSeen*float64(triggered(f.triggers[0]))
		return rare || p.backwards(f.triggers[0], f.places[0])
	})
	least := cmp.Or(o.Min, 0.85)
	keep := func(f form, s counted) bool {
		if !h.named(p, f) {
			return p.holds(f, s, least) && !p.common(f)
		}
		return p.proves(f, s, h.hints[h.of(f)].Cases, least)
	}
	found := p.score(list, keep)
	found = append(found, p.score(h.alternatives(p, list, found), keep)...)
	return h.describe(p, p.reduce(found, keep))
}

// proves reports whether a form held often enough, with the statement as some more cases.
func (p *past) proves(f form, c counted, cases int, least float64) bool {
	if !p.templates[f.triggers[0]].literal() {
		least -= captureBonus
	}
	all := c.before.plus(c.since)
	return lowerBound(all.Held+cases, all.Triggered+cases) >= least && all.share() >= leastProven &&
		(c.since.Triggered == 0 || c.since.share() >= leastProven) && !c.missedLast && !c.vanished &&
		float64(all.Triggered) >= leastPresent*float64(all.Triggered+c.absentUnits()) &&
		(!f.asksExistence() || 2*c.alone.Held >= c.alone.Triggered) && !p.common(f)
}

// common reports whether a partner changes so often that a change of it is no sign.
func (p *past) common(f form) bool {
	units := 0
	for _, t := range f.places {
		if p.templates[t].literal() && !f.asksExistence() {
			units += len(p.events[p.ids[p.templates[t].String()]])
		}
	}
	return float64(units) > mostHintedShare*float64(len(p.units))
}

// reduce makes sets of forms that hold in both directions, and drops those that others explain.
func (p *past) reduce(found []scored, keep func(form, counted) bool) []scored {
	slices.SortFunc(found, p.better)
	found = slices.DeleteFunc(slices.Clone(found), func(f scored) bool { return f.mode == ModePair && slices.ContainsFunc(found, f.ofNew) })
	s := newSlate(len(p.units))
	var sets, pairs, created []scored
	for _, f := range found {
		back := func(r scored) bool {
			return r.mode == ModePair && !r.any && r.triggers[0] == f.places[0] && r.places[0] == f.triggers[0]
		}
		switch {
		case f.mode == ModeCreated && !f.change && slices.ContainsFunc(found, back): // it is made from that one
		case f.mode == ModeCreated:
			created = append(created, f)
		case !f.any && slices.ContainsFunc(found, back):
			set := form{mode: ModeSet, triggers: slices.Sorted(slices.Values([]int32{f.triggers[0], f.places[0]}))}
			set.places = set.triggers
			if c := p.count(set, mostScoring, s); keep(set, c) {
				sets = append(sets, scored{set, c})
				continue
			}
			fallthrough
		default:
			pairs = append(pairs, f)
		}
	}
	sets = slices.CompactFunc(sets, func(a, b scored) bool { return slices.Equal(a.places, b.places) })
	kept := p.cover(append(sets, pairs...))
	return append(kept, p.coverUnits(p.coverAfter(created, kept))...)
}

// single is a form with one trigger and one place.
type single struct {
	trigger, place  int32
	created, change bool
}

func (s single) form() form {
	f := form{mode: ModePair, triggers: []int32{s.trigger}, places: []int32{s.place}, change: s.change}
	if s.created {
		f.mode = ModeCreated
	}
	return f
}

// hintedSupport counts the units of a form, and has the first hint that led to it.
type hintedSupport struct {
	support

	seen []int32 // units that were counted, the first few
	hint int
}

// ofNew reports whether a form is about new files and another one, about changed files, applied
// mostly to these: then it says more than the past shows.
func (s scored) ofNew(created scored) bool {
	units := func(c counted) int { return c.before.plus(c.since).Triggered }
	return created.mode == ModeCreated && created.change && slices.Equal(s.triggers, created.triggers) && slices.Equal(s.places, created.places) &&
		units(s.counted) < 2*units(created.counted)
}

// hinted collects the forms that hints lead to.
type hinted struct {
	*candidates

	by      map[single]*hintedSupport
	pairsOf map[[2]int32][]*hintedSupport // by names: of changed files, in both directions
	newOf   map[[2]int32][]*hintedSupport // of new ones
	kindsOf map[[2]int32][]int32          // by name and hint
	globs   map[string]int32              // templates of the globs of hints
	sizes   []int                         // files that changed, by these
	hints   []Hint
	split   int32
	visits  int
}

// of returns the first hint that led to a form, or to a part of it.
func (h *hinted) of(f form) int {
	first := len(h.hints) - 1
	for _, t := range f.triggers {
		for _, place := range f.places {
			if s := h.by[single{t, place, f.mode == ModeCreated, f.change}]; s != nil {
				first = min(first, s.hint)
			}
		}
	}
	return first
}

// named reports whether the statement names the files of a form: those with a name that it has,
// or those of a glob that matches few files.
func (h *hinted) named(p *past, f form) bool {
	hint := h.hints[h.of(f)]
	return !slices.ContainsFunc(f.templates(), func(t int32) bool {
		of := p.templates[t]
		return !of.name && !slices.ContainsFunc([]string{hint.A, hint.B}, func(glob string) bool {
			id := h.globs[glob]
			hinted := p.templates[id]
			return !hinted.name && hinted.pre == of.pre || h.sizes[id] <= mostNamed && hinted.matchesName(of.pre)
		})
	})
}

// gather counts the forms of all hints in the units before the split.
func (h *hinted) gather() {
	globs := h.globs
	for _, hint := range h.hints {
		for _, glob := range []string{hint.A, hint.B} {
			if t, ok := parseGlob(glob); ok {
				globs[glob] = h.template(t)
			}
		}
	}
	wanted := make([]bool, len(h.templates))
	for i := range wanted {
		wanted[i] = true
	}
	matches := matchesOf(h.corpus, h.templates, wanted)
	in := make([]map[int32]bool, len(matches))
	for i, names := range matches {
		in[i], h.sizes = map[int32]bool{}, append(h.sizes, len(names))
		for _, n := range names {
			in[i][n] = true
		}
	}
	for i, hint := range h.hints {
		a, okA := globs[hint.A]
		b, okB := globs[hint.B]
		if okA && okB && a != b && !h.broad(a, b, matches) {
			h.together(i, a, b, matches, in)
		}
	}
}

// broad reports whether a hint names two large directories, which change together by chance.
func (h *hinted) broad(a, b int32, matches [][]int32) bool {
	for _, t := range []int32{a, b} {
		if of := h.templates[t]; of.pre+of.post != "" || len(matches[t]) <= mostBroad {
			return false
		}
	}
	return true
}

// together counts the forms of one hint: in the units that changed files of both.
func (h *hinted) together(hint int, a, b int32, matches [][]int32, in []map[int32]bool) {
	c := h.corpus
	rare := a
	if len(matches[b]) < len(matches[a]) {
		rare = b
	}
	units := map[int32]bool{}
	for _, n := range matches[rare] {
		for _, e := range c.events[n] {
			if u := &c.units[e.unit]; e.unit < h.split && !u.ignored && len(u.names) <= mostGenerating {
				units[e.unit] = true
			}
		}
	}
	end := min(h.visits+mostOfHint, mostVisits)
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(units))) {
		names := c.units[at].names
		for _, x := range names {
			if !in[a][x] || in[b][x] && !h.templates[a].literal() || !h.corpus.usable[x] {
				continue
			}
			for _, y := range names {
				if x == y || !in[b][y] || in[a][y] && !h.templates[b].literal() || !h.corpus.usable[y] {
					continue
				}
				if h.visits++; h.visits > end {
					return
				}
				h.pair(hint, at, x, y)
				for _, kind := range h.kindsBelow(x, a) {
					h.indexed(hint, at, x, y, kind)
				}
				for _, kind := range h.kindsBelow(y, b) {
					h.indexed(hint, at, y, x, kind)
				}
			}
		}
	}
}

// pair counts the forms of two names that changed in a unit: of changed and of new files.
func (h *hinted) pair(hint int, at, x, y int32) {
	for _, s := range h.formsOf(h.pairsOf, hint, x, y, false) {
		s.count(at, x, y)
	}
	if h.bothNew(x, y, at) {
		for _, s := range h.formsOf(h.newOf, hint, x, y, true) {
			s.count(at, x, y)
		}
	}
}

// formsOf returns the forms of two names, in both directions.
func (h *hinted) formsOf(known map[[2]int32][]*hintedSupport, hint int, x, y int32, created bool) []*hintedSupport {
	list, seen := known[[2]int32{x, y}]
	if !seen {
		generalize(h.corpus.paths[x], h.corpus.paths[y], func(s, t template) {
			if a, b := h.template(s), h.template(t); a != b && (!created || !s.literal()) {
				list = append(list, h.support(hint, single{a, b, created, false}), h.support(hint, single{b, a, created, false}))
			}
		})
		known[[2]int32{x, y}] = list
	}
	return list
}

// indexed counts that a file changed with one of a kind.
func (h *hinted) indexed(hint int, at, x, y, kind int32) {
	c := h.corpus
	if e, _ := c.changedIn(y, at); e.kind != modified || !c.end[y] {
		return
	}
	if _, itself := h.templates[kind].match(c.paths[y]); itself && h.templates[kind].post == "" {
		return
	}
	dir, base := split(c.paths[y])
	index := h.template(template{mid: dir, pre: base})
	h.support(hint, single{kind, index, false, false}).count(at, x, y)
	if e, _ := c.changedIn(x, at); e.kind == created {
		h.support(hint, single{kind, index, true, true}).count(at, x, y)
	}
}

// kindsBelow returns the templates of files that a name is one of and a hint includes: the
// hint itself, and by shape those in the directories between the name and what the hint names.
func (h *hinted) kindsBelow(name, hint int32) []int32 {
	of := h.templates[hint]
	if of.literal() {
		return nil
	}
	list, seen := h.kindsOf[[2]int32{name, hint}]
	if !seen {
		list = append(list, hint)
		path := h.corpus.paths[name]
		for _, kind := range kinds(path, shapes(path)) {
			if _, ok := below(kind.mid, of.mid); (ok || of.root != noRoot) && strings.HasSuffix(kind.post, of.post) && kind != of {
				list = append(list, h.template(kind))
			}
		}
		h.kindsOf[[2]int32{name, hint}] = list
	}
	return list
}

func (h *hinted) support(hint int, key single) *hintedSupport {
	s := h.by[key]
	if s == nil {
		s = &hintedSupport{support: support{last: -1}, hint: hint}
		h.by[key] = s
	}
	return s
}

// count counts a unit. Another hint that leads to the same form brings the same units again.
func (s *hintedSupport) count(at, name, with int32) {
	if s.last != at && !slices.Contains(s.seen, at) {
		s.units, s.last = s.units+1, at
		if len(s.seen) < mostSeen {
			s.seen = append(s.seen, at)
		}
	}
	s.names.add(name)
	s.indexes.add(with)
}

// supported returns the forms with support, those of the earliest hints first.
func (h *hinted) supported() []form {
	var keys []single
	for key, s := range h.by {
		literal := h.templates[key.trigger].literal()
		if s.units >= leastHinted && (literal || s.names.n >= leastHintedName) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b single) int {
		return cmp.Or(h.by[a].hint-h.by[b].hint, int(h.by[b].units-h.by[a].units), cmp.Compare(a.trigger, b.trigger),
			cmp.Compare(a.place, b.place), compareBools(a.created, b.created), compareBools(a.change, b.change))
	})
	keys = keys[:min(len(keys), mostHinted)]
	list := make([]form, 0, len(keys))
	for _, key := range keys {
		list = append(list, key.form())
	}
	return list
}

// alternatives returns the forms for which one of the files of a hint is enough, for triggers
// that no single one follows.
func (h *hinted) alternatives(p *past, list []form, found []scored) []form {
	type group struct {
		hint    int
		trigger int32
	}
	places := map[group][]int32{}
	var order []group
	for _, f := range list {
		if f.mode == ModePair && p.templates[f.places[0]].literal() {
			at := group{h.of(f), f.triggers[0]}
			if places[at] == nil {
				order = append(order, at)
			}
			if len(places[at]) < mostConsidered {
				places[at] = append(places[at], f.places[0])
			}
		}
	}
	var forms []form
	for _, at := range order {
		single := slices.ContainsFunc(found, func(s scored) bool { return s.mode == ModePair && s.triggers[0] == at.trigger })
		if len(places[at]) < 2 || single {
			continue
		}
		f := form{mode: ModePair, triggers: []int32{at.trigger}, places: p.needed(at.trigger, places[at]), any: true}
		if len(f.places) > 1 {
			forms = append(forms, f)
		}
	}
	return forms
}

// needed returns the places, at most three, that together changed in most units of a trigger:
// first the one that changed in most, then those that add most.
func (p *past) needed(trigger int32, places []int32) []int32 {
	var all []tried
	p.each(form{mode: ModePair, triggers: []int32{trigger}, places: places}, mostScoring, func(o occurrence) {
		if o.unit < p.split && o.changed != 0 {
			all = append(all, tried{unit: o.unit, changed: o.changed})
		}
	})
	var chosen []int32
	for len(chosen) < mostAlternatives {
		best, most := 0, leastAlone-1
		for i := range places {
			n := 0
			for _, t := range all {
				n += t.changed >> i & 1
			}
			if n > most {
				best, most = i, n
			}
		}
		if most < leastAlone {
			break
		}
		chosen = append(chosen, places[best])
		all = slices.DeleteFunc(all, func(t tried) bool { return t.changed>>best&1 == 1 })
	}
	return chosen
}

// describe returns the rules of forms, the earliest hints first.
func (h *hinted) describe(p *past, list []scored) []Proven {
	s := newSlate(len(p.units))
	var rules []Proven
	for _, f := range list {
		r := p.candidate(f.form, p.count(f.form, len(p.paths), s))
		if r.isProposed() {
			hint := h.of(f.form)
			r.stated = h.hints[hint].Cases
			rules = append(rules, Proven{r, hint})
		}
	}
	slices.SortStableFunc(rules, func(a, b Proven) int {
		return cmp.Or(h.hints[b.Hint].Cases-h.hints[a.Hint].Cases, compareBools(a.Any, b.Any), cmp.Compare(b.Bound, a.Bound))
	})
	return rules
}
