package mine

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
)

// Limits of the rules that are taught.
const (
	mostRelated  = 300     // units of the past from which counterparts are taken
	mostTaught   = 200_000 // forms that are tried
	backAsWell   = 0.05    // difference of bounds up to which a pair that holds both ways is a set
	leastTaught  = 0.5     // the smallest share; if the rule applies to no good commit, the smallest bound
	nearlyAsWell = 0.02    // difference of bounds up to which a rule that held more often is better
)

// Lesson counts the forms that were tried to separate commits.
type Lesson struct {
	Tried int   // forms
	Fire  []int // how many of these fire on each bad commit
	All   int   // how many fire on all bad commits
	Left  int   // how many of these fire on no good one; the past did not follow them
}

// Separate returns the rules with one trigger and one counterpart that fire on each bad commit
// and on no good one, those first that the past followed best. Each good and bad commit is a
// corpus of one unit.
func (c *Corpus) Separate(good, bad []*Corpus) ([]Candidate, Lesson) {
	t := &taught{candidates: &candidates{corpus: c, ids: map[template]int32{}}, bad: bad[0], known: map[taughtForm]bool{}, fits: map[int32]bool{}}
	for _, g := range good {
		t.learn(g, g.units[0].names)
	}
	for _, at := range t.related() {
		t.learn(c, c.units[at].names)
	}
	forms := t.forms
	lesson := Lesson{Tried: len(forms), Fire: make([]int, len(bad))}
	fires := make([]int, len(forms)) // on how many bad commits
	for i, b := range bad {
		outcome := t.outcomes(b, forms)
		for n := range forms {
			if outcome[n] == broke {
				fires[n]++
				lesson.Fire[i]++
			}
		}
	}
	var left []form
	for n, f := range forms {
		if fires[n] == len(bad) {
			left = append(left, f)
		}
	}
	lesson.All = len(left)
	applies := make([]int, len(left)) // to how many good commits
	contradicted := make([]bool, len(left))
	for _, g := range good {
		for n, o := range t.outcomes(g, left) {
			contradicted[n] = contradicted[n] || o == broke
			if o == kept {
				applies[n]++
			}
		}
	}
	var fitting []form
	var shown []int
	for n, f := range left {
		if !contradicted[n] {
			fitting, shown = append(fitting, f), append(shown, applies[n])
		}
	}
	lesson.Left = len(fitting)
	return t.rank(fitting, shown), lesson
}

// taughtForm identifies a form with one trigger and one place.
type taughtForm struct {
	mode           string
	trigger, place int32
	change         bool
}

// taught collects the forms that could separate commits.
type taught struct {
	*candidates

	bad   *Corpus // the first bad commit, which each form is triggered by
	known map[taughtForm]bool
	fits  map[int32]bool // templates that match a name of the bad commit
	forms []form
}

// related returns the newest units that changed files of the same name as one of the bad
// commit, or in the same directory with the same extension.
func (t *taught) related() []int32 {
	kin := func(path string) [2]string {
		dir, base := split(path)
		return [2]string{dir, base[len(stem(base)):]}
	}
	bases, kins := map[string]bool{}, map[[2]string]bool{}
	for _, n := range t.bad.units[0].names {
		path := t.bad.paths[n]
		_, base := split(path)
		bases[base], kins[kin(path)] = true, true
	}
	c := t.corpus
	units := map[int32]bool{}
	for id, path := range c.paths {
		if _, base := split(path); bases[base] || kins[kin(path)] {
			for _, e := range c.events[id] {
				if n := len(c.units[e.unit].names); n > 1 && n <= mostGenerating {
					units[e.unit] = true
				}
			}
		}
	}
	list := slices.Sorted(maps.Keys(units))
	return list[max(0, len(list)-mostRelated):]
}

// learn adds the forms of the names that changed together in one unit.
func (t *taught) learn(c *Corpus, names []int32) {
	for _, a := range names {
		for _, b := range names {
			if x, y := c.paths[a], c.paths[b]; a != b && teachable(x) && teachable(y) {
				t.pair(x, y)
			}
		}
	}
}

// teachable reports whether a rule can be about a file.
func teachable(path string) bool { return plain(path) && !vendoredPath().MatchString(path) }

func (t *taught) pair(x, y string) {
	generalize(x, y, func(s, p template) { t.add(s, p) })
	dir, base := split(y)
	index := template{mid: dir, pre: base}
	of := shapes(x)
	for _, kind := range kinds(x, of) {
		t.add(kind, index)
	}
	dirX, _ := split(x)
	if prefix := commonDirs(dirX, dir); prefix != "" {
		for _, kind := range of {
			kind.root, kind.mid = anyRoot, trimDir(dirX, prefix)
			t.add(kind, template{root: anyRoot, mid: trimDir(dir, prefix), pre: base})
		}
	}
}

// add adds the forms of a trigger that the bad commit changed.
func (t *taught) add(trigger, place template) {
	a := t.template(trigger)
	fits, seen := t.fits[a]
	if !seen {
		fits = slices.ContainsFunc(t.bad.units[0].names, func(n int32) bool {
			_, ok := trigger.match(t.bad.paths[n])
			return ok
		})
		t.fits[a] = fits
	}
	if trigger == place || !fits && !place.captures(trigger) {
		return
	}
	b := t.template(place)
	if fits {
		t.form(taughtForm{ModePair, a, b, false})
		if !trigger.literal() {
			t.form(taughtForm{ModeCreated, a, b, false})
			t.form(taughtForm{ModeCreated, a, b, true})
		}
	}
	if place.captures(trigger) {
		t.form(taughtForm{ModeSet, min(a, b), max(a, b), false})
	}
}

// captures reports whether two templates bind the same captures, so that they can be a set.
func (t template) captures(o template) bool {
	return (t.root == noRoot) == (o.root == noRoot) && t.path == o.path && t.name == o.name
}

func (t *taught) form(key taughtForm) {
	if t.known[key] || len(t.forms) >= mostTaught {
		return
	}
	t.known[key] = true
	f := form{mode: key.mode, triggers: []int32{key.trigger}, places: []int32{key.place}, change: key.change}
	if key.mode == ModeSet {
		f.triggers = []int32{key.trigger, key.place}
		f.places = f.triggers
	}
	t.forms = append(t.forms, f)
}

// outcome describes one commit under a form.
type outcome uint8

const (
	silent outcome = iota
	kept
	broke
)

// outcomes returns what forms say about a commit.
func (t *taught) outcomes(c *Corpus, forms []form) []outcome {
	p := t.past(c, forms)
	s := newSlate(len(c.units))
	list := make([]outcome, len(forms))
	for i, f := range forms {
		switch all := p.count(f, len(c.paths), s).since; {
		case all.Triggered == 0:
		case all.Held == 0:
			list[i] = broke
		default:
			list[i] = kept
		}
	}
	return list
}

// past returns what evaluates forms on a corpus.
func (t *taught) past(c *Corpus, forms []form) *past {
	wanted := make([]bool, len(t.templates))
	for _, f := range forms {
		for _, id := range f.templates() {
			wanted[id] = true
		}
	}
	return &past{Corpus: c, templates: t.templates, matches: matchesOf(c, t.templates, wanted), split: c.split()}
}

// rank describes the forms: those that apply to most good commits first, of these the ones that
// the past followed best, and of nearly equal ones those that held most often.
func (t *taught) rank(forms []form, applies []int) []Candidate {
	p := t.past(t.corpus, forms)
	s := newSlate(len(p.units))
	type ranked struct {
		scored

		applies int
		bound   float64
		all     Tally
	}
	list := make([]ranked, 0, len(forms))
	for i, f := range forms {
		c := p.count(f, len(p.paths), s)
		all := c.before.plus(c.since)
		if applies[i] > 0 && all.share() >= leastTaught || c.overall() >= leastTaught {
			list = append(list, ranked{scored{f, c}, applies[i], c.overall(), all})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(b.applies-a.applies, cmp.Compare(b.bound, a.bound), p.compare(a.form, b.form))
	})
	for from := 0; from < len(list); { // groups that the past followed nearly as well
		to := from + 1
		for to < len(list) && list[to].applies == list[from].applies && list[to].bound >= list[from].bound-nearlyAsWell {
			to++
		}
		slices.SortFunc(list[from:to], func(a, b ranked) int {
			return cmp.Or(b.all.Held-a.all.Held, b.all.Triggered-a.all.Triggered, p.text(a.form)-p.text(b.form), len(a.mode)-len(b.mode), p.compare(a.form, b.form))
		})
		from = to
	}
	if i := slices.IndexFunc(list, func(r ranked) bool {
		return r.mode == ModeSet && len(list) > 0 && p.bothWays(r.form, list[0].scored, s)
	}); i > 0 {
		set := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, set)
	}
	var rules []Candidate
	known := map[string]bool{} // rules that fire in the same commits
	for _, r := range list {
		key := p.misfires(r.form)
		if known[key] {
			continue
		}
		known[key] = true
		rules = append(rules, p.candidate(r.form, r.counted))
		if len(rules) == fewTaught {
			break
		}
	}
	return rules
}

// bothWays reports whether a set is of the two kinds of files of a pair, and the past followed
// the pair nearly as well the other way round.
func (p *past) bothWays(set form, pair scored, s *slate) bool {
	if pair.mode != ModePair || !slices.Contains(set.places, pair.triggers[0]) || !slices.Contains(set.places, pair.places[0]) {
		return false
	}
	back := p.count(form{mode: ModePair, triggers: pair.places, places: pair.triggers}, len(p.paths), s)
	return back.overall() >= pair.overall()-backAsWell
}

// fewTaught is the number of rules that are described.
const fewTaught = 10

// misfires identifies the occurrences of a form: its units, files and what is missing.
func (p *past) misfires(f form) string {
	var all []occurrence
	p.each(f, len(p.paths), func(o occurrence) {
		if o.present || f.asksExistence() {
			o.places = slices.Clone(o.places)
			all = append(all, o)
		}
	})
	slices.SortFunc(all, func(a, b occurrence) int { return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.name, b.name)) })
	h := fnv.New128a()
	for _, o := range all {
		fmt.Fprintln(h, o.unit, o.name, o.missing != 0, o.places)
	}
	return string(h.Sum(nil))
}
