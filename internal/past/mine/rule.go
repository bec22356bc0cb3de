package mine

import (
	"cmp"
	"slices"
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

	form      form
	templates []template // that the form numbers
}

// Patterns returns all patterns of the rule, those that trigger it first.
func (r Candidate) Patterns() []string { return slices.Concat(r.Triggers, r.Expects) }

// Meets reports whether a file that triggers a rule has a counterpart at the end of the
// corpus, so that the rule can still hold and fire, and whether it has an example.
func (c *Corpus) Meets(r Candidate) bool {
	paired := func(trigger int32, path string) bool {
		bound, ok := r.templates[trigger].match(path)
		return ok && slices.ContainsFunc(r.form.places, func(place int32) bool {
			id, known := c.ids[r.templates[place].expand(bound)]
			return known && c.end[id] && c.paths[id] != path
		})
	}
	for id, path := range c.paths {
		if c.end[id] && slices.ContainsFunc(r.form.triggers, func(t int32) bool { return paired(t, path) }) {
			return len(r.Examples) > 0
		}
	}
	return false
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

// rules describes forms, the best first: trivial ones last.
func (p *past) rules(list []scored) []Candidate {
	s := newSlate(len(p.units))
	var rules []Candidate
	for _, f := range list {
		whole := p.count(f.form, len(p.paths), s) // large units too: the rule will see them
		r := p.candidate(f.form, whole)
		if r.Bound < leastWhole {
			continue
		}
		if r.Label != Lock || r.Bound >= leastLock && !r.asksForManifest() {
			rules = append(rules, r)
		}
	}
	slices.SortStableFunc(rules, func(a, b Candidate) int {
		return cmp.Or(a.Label.rank()-b.Label.rank(), compareBools(a.Any, b.Any), cmp.Compare(b.Bound, a.Bound))
	})
	return independent(rules)
}

// candidate describes a form.
func (p *past) candidate(f form, whole counted) Candidate {
	r := Candidate{
		Mode: f.mode, Require: requireOf(scored{f, whole}), Any: f.any, form: f, templates: p.templates,
		Bound: whole.overall(), Before: whole.before, Since: whole.since,
	}
	for _, t := range f.triggers {
		r.Triggers = append(r.Triggers, p.templates[t].String())
	}
	if f.mode != ModeSet {
		for _, t := range f.places {
			r.Expects = append(r.Expects, p.templates[t].String())
		}
	}
	r.Missed, r.Repaired = p.misses(f)
	p.cases(&r)
	r.Label = p.label(r)
	return r
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

// cases adds the newest units in which a rule fired, and two in which it held.
func (p *past) cases(r *Candidate) {
	var all []occurrence
	p.each(r.form, len(p.paths), func(o occurrence) {
		if o.present || r.form.asksExistence() {
			o.places = slices.Clone(o.places)
			all = append(all, o)
		}
	})
	slices.SortFunc(all, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(b.unit, a.unit), cmp.Compare(p.paths[a.name], p.paths[b.name]))
	})
	missed := map[int32]bool{}
	for _, o := range all {
		if o.missing != 0 {
			missed[o.unit] = true
		}
	}
	last, held := int32(-1), int32(-1)
	for _, o := range all {
		switch {
		case o.missing != 0 && len(r.Firings) < fewCases && o.unit != last:
			r.Firings = append(r.Firings, p.caseOf(o, r.Any))
			last = o.unit
		case !missed[o.unit] && len(r.Examples) < 2 && o.unit != held && (r.Any || p.complete(o)):
			r.Examples = append(r.Examples, p.caseOf(o, r.Any))
			held = o.unit
		}
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
