package mine

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Candidate is a rule that the past followed, with its evidence.
type Candidate struct {
	Mode     string   `json:"mode"`
	Triggers []string `json:"triggers"` // patterns; of a set all its members
	Expects  []string `json:"expects"`  // patterns; of a set none
	Any      bool     `json:"any"`      // one of the expected files is enough
	Require  string   `json:"require"`
	Label    Label    `json:"label"`
	Bound    float64  `json:"bound"`    // lower bound of the share of units that hold
	Before   Tally    `json:"before"`   // units of the part that it was mined from
	Since    Tally    `json:"since"`    // and of the newest part
	Missed   int      `json:"missed"`   // units in which it fired
	Repaired int      `json:"repaired"` // of these the ones that a later commit repaired
	Firings  []Case   `json:"firings"`
	Examples []Case   `json:"examples"` // in which it held, newest first

	Condition
	Unconditioned Tally `json:"unconditioned,omitzero"` // units of the part that it was mined from, without the condition

	Begun *time.Time `json:"begun,omitempty"` // units before that do not count: the expected files did not exist

	form form
	gate *gate // instead of a form
	past *past
	// reading is true if the rule holds at most where the contents of files are read.
	reading bool
	units   map[string]bool // commits in which it applied
	stated  int             // how many further cases in which it holds a statement counts as
}

// Without returns for which commits the rule has further figures: those that its condition, or
// what it ignores, leaves out as well. It is empty if there are none.
func (r Candidate) Without() string {
	switch {
	case r.Unconditioned.Triggered == 0:
		return ""
	case r.Limited():
		return "without its condition"
	default:
		return "with what it ignores"
	}
}

// Patterns returns all patterns of the rule, those that trigger it first.
func (r Candidate) Patterns() []string { return slices.Concat(r.Triggers, r.Expects) }

// Written returns all patterns of the rule as its file has them: with the keys of files.
func (r Candidate) Written() []string {
	patterns := r.Patterns()
	if r.Keys != nil {
		patterns[0] += "#" + r.Keys.Pointer
	}
	return patterns
}

// Wildcard reports whether the rule expects any file that a pattern matches.
func (r Candidate) Wildcard() bool { return r.gate != nil && strings.Contains(r.Expects[0], "*") }

// Meets reports whether each counterpart of a rule, or one where one is enough, exists at the
// end of the corpus with a file that triggers it, so that the rule can still hold and fire, and
// whether it has an example.
func (c *Corpus) Meets(r Candidate) bool {
	if r.gate != nil {
		return len(r.Examples) > 0
	}
	var met []int32 // places
	for id, path := range c.paths {
		if !c.end[id] {
			continue
		}
		for _, trigger := range r.form.triggers {
			bound, ok := r.past.templates[trigger].match(path)
			for _, place := range r.form.places {
				if !ok || slices.Contains(met, place) {
					continue
				}
				if other, known := c.ids[r.past.templates[place].expand(bound)]; known && c.end[other] && c.paths[other] != path {
					met = append(met, place)
				}
			}
		}
	}
	return len(r.Examples) > 0 && (len(met) == len(r.form.places) || r.Any && len(met) > 0)
}

// Case is a unit in which a rule was triggered.
type Case struct {
	Commit  string    `json:"commit"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	File    string    `json:"file"`
	New     bool      `json:"-"`       // the file was created
	With    []string  `json:"with"`    // counterparts that changed, or exist
	Missing []string  `json:"missing"` // counterparts that the change lacks
	Others  []string  `json:"-"`       // alternatives that exist and need not change
}

// fewCases is the number of units that evidence shows.
const fewCases = 3

// compact returns the past with the templates of forms alone, and these with their new numbers:
// candidates keep them.
func (p *past) compact(list []scored) (*past, []scored) {
	kept := &past{Corpus: p.Corpus, split: p.split}
	numbers := map[int32]int32{}
	renumber := func(ids []int32) []int32 {
		renumbered := make([]int32, 0, len(ids))
		for _, id := range ids {
			if _, known := numbers[id]; !known {
				numbers[id] = number(len(kept.templates))
				kept.templates, kept.matches = append(kept.templates, p.templates[id]), append(kept.matches, p.matches[id])
			}
			renumbered = append(renumbered, numbers[id])
		}
		return renumbered
	}
	compacted := make([]scored, 0, len(list))
	for _, s := range list {
		s.triggers, s.places = renumber(s.triggers), renumber(s.places)
		compacted = append(compacted, s)
	}
	return kept, compacted
}

// rules describes forms, the best first: trivial ones last.
func (p *past) rules(list []scored, gates []Candidate) []Candidate {
	p, list = p.compact(list)
	s := newSlate(len(p.units))
	var rules []Candidate
	for _, f := range list {
		whole := p.count(f.form, len(p.paths), s) // large units too: the rule will see them
		if whole.overall() < leastWhole {
			continue
		}
		if r := p.candidate(f.form, whole); r.isProposed() {
			rules = append(rules, r)
		}
	}
	rules = append(rules, gates...)
	slices.SortStableFunc(rules, func(a, b Candidate) int {
		return cmp.Or(a.rank()-b.rank(), compareBools(a.Any, b.Any), cmp.Compare(b.Bound, a.Bound))
	})
	return fresh(independent(oneSnapshot(rules)))
}

// oneSnapshot leaves one rule about snapshots in the place of generated code, and puts the others
// last: a test runner compares them.
func oneSnapshot(rules []Candidate) []Candidate {
	var first, last []Candidate
	for _, r := range rules {
		if r.Trivial() != "" && slices.ContainsFunc(first, func(o Candidate) bool { return o.Trivial() == r.Trivial() }) {
			last = append(last, r)
		} else {
			first = append(first, r)
		}
	}
	return append(first, last...)
}

// Limits of rules that add nothing: better rules have most of their units.
const (
	mostKnown = 0.8
	mostWider = 4 // a rule with so many times more units is about something else
)

// fresh drops the rules whose units better ones have: of files that all change together, one
// rule is enough.
func fresh(rules []Candidate) []Candidate {
	var kept []Candidate
	for _, r := range rules {
		known := map[string]bool{}
		for _, better := range kept {
			if len(better.units) <= mostWider*len(r.units) {
				maps.Copy(known, better.units)
			}
		}
		shared := 0
		for unit := range r.units {
			if known[unit] {
				shared++
			}
		}
		if float64(shared) < mostKnown*float64(len(r.units)) {
			kept = append(kept, r)
		}
	}
	return kept
}

// described returns a form as a rule, without what became of it.
func (p *past) described(f scored) Candidate {
	r := Candidate{Mode: f.mode, Require: requireOf(f), Any: f.any, form: f.form, past: p}
	for _, t := range f.triggers {
		r.Triggers = append(r.Triggers, p.templates[t].String())
	}
	if f.mode != ModeSet {
		for _, t := range f.places {
			r.Expects = append(r.Expects, p.templates[t].String())
		}
	}
	if f.mode != ModeCreated {
		r.Ignore = ignored(r.Triggers, r.Expects)
	}
	r.Exclude = p.vendored(f.triggers)
	return r
}

// candidate describes a form, with what the corpus shows of it.
func (p *past) candidate(f form, whole counted) Candidate {
	r := p.described(scored{f, whole})
	outcomes := p.outcomes(f)
	r, _ = r.Counted(outcomes)
	r.units = make(map[string]bool, len(outcomes))
	for _, o := range outcomes {
		r.units[o.Commit] = true
	}
	r.Label = p.label(r)
	return r
}

// isProposed reports whether a rule is worth a place: most of those about manifests and lock files
// are not.
func (r Candidate) isProposed() bool {
	return r.Label != Lock || r.Bound >= leastLock && !r.asksForManifest()
}

// vendored returns patterns of the vendored directories in which files would trigger a rule: it is
// not mined from them.
func (p *past) vendored(triggers []int32) []string {
	triggers = slices.DeleteFunc(slices.Clone(triggers), func(t int32) bool { return p.templates[t].literal() })
	if len(triggers) == 0 {
		return nil // such a name would be vendored itself
	}
	var dirs []string
	for id, copied := range p.copied {
		if !copied || !p.end[id] || !slices.ContainsFunc(triggers, func(t int32) bool { _, ok := p.templates[t].match(p.paths[id]); return ok }) {
			continue
		}
		dir := "**/" + vendoredPath().FindStringSubmatch(p.paths[id])[2] + "/**"
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// independent drops rules about files that better rules link already, directly or by others:
// of ten files that all change together, few rules suffice.
func independent(rules []Candidate) []Candidate {
	linked := map[string]string{} // a pattern to another one of its group
	root := func(pattern string) string {
		for linked[pattern] != "" {
			pattern = linked[pattern]
		}
		return pattern
	}
	return slices.DeleteFunc(rules, func(r Candidate) bool {
		patterns := slices.Concat(r.Triggers, r.Expects)
		fresh := false
		for _, pattern := range patterns[1:] {
			if a, b := root(patterns[0]), root(pattern); a != b {
				linked[b], fresh = a, true
			}
		}
		return !fresh
	})
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func requireOf(f scored) string {
	switch {
	case f.asksExistence():
		return RequireExists
	case f.absent+f.absentSince > 0, f.partial:
		return RequireChangedIfExists
	default:
		return RequireChanged
	}
}

// outcomes returns what a form does in the units of any size, newest first.
func (p *past) outcomes(f form) []Outcome {
	missing := map[int32]occurrence{} // by unit; the first by name, or none
	p.each(f, len(p.paths), func(o occurrence) {
		if !o.present && !f.asksExistence() {
			return
		}
		known, seen := missing[o.unit]
		if !seen || o.missing != 0 && (known.missing == 0 || p.paths[o.name] < p.paths[known.name]) {
			o.places = slices.Clone(o.places)
			missing[o.unit] = o
		}
	})
	var list []Outcome
	for _, unit := range slices.Backward(slices.Sorted(maps.Keys(missing))) {
		c := p.caseOf(missing[unit], f.any)
		list = append(list, Outcome{Commit: c.Commit, Held: len(c.Missing) == 0 && missing[unit].missing == 0, File: c.File, Missing: c.Missing})
	}
	return list
}

// examples adds two units in which a rule held.
func (p *past) examples(r *Candidate, held map[int32]bool) {
	var all []occurrence
	p.each(r.form, len(p.paths), func(o occurrence) {
		if held[o.unit] && o.missing == 0 && (r.Any || p.complete(o)) {
			o.places = slices.Clone(o.places)
			all = append(all, o)
		}
	})
	slices.SortFunc(all, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(b.unit, a.unit), cmp.Compare(p.paths[a.name], p.paths[b.name]))
	})
	all = slices.CompactFunc(all, func(a, b occurrence) bool { return a.unit == b.unit })
	for _, o := range all[:min(len(all), 2)] {
		r.Examples = append(r.Examples, p.caseOf(o, r.Any))
	}
}

// complete reports whether an occurrence has all its counterparts, so that it is an example.
func (p *past) complete(o occurrence) bool {
	for _, place := range o.places {
		if place < 0 {
			return false
		}
		if _, changed := p.changedIn(place, o.unit); !changed && !p.existsAfter(place, o.unit) {
			return false
		}
	}
	return true
}

func (p *past) caseOf(o occurrence, oneEnough bool) Case {
	u := p.units[o.unit]
	e, _ := p.changedIn(o.name, o.unit)
	c := Case{Commit: u.commit, Subject: u.subject, Time: u.time, File: p.paths[o.name], New: e.kind == created}
	for i, place := range o.places {
		switch {
		case place < 0:
		case o.missing&(1<<i) != 0:
			c.Missing = append(c.Missing, p.paths[place])
		case oneEnough && o.changed&(1<<i) == 0:
			if p.existsAfter(place, o.unit) {
				c.Others = append(c.Others, p.paths[place])
			}
		default:
			c.With = append(c.With, p.paths[place])
		}
	}
	return c
}
