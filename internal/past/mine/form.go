package mine

import "slices"

// The modes and values of the rule language that are mined.
const (
	ModeSet     = "set"
	ModePair    = "pair"
	ModeCreated = "created"

	RequireChanged         = "changed"
	RequireChangedIfExists = "changed_if_exists"
	RequireExists          = "exists"
)

// mostPlaces is the number of counterparts that a rule may have: people review it.
const mostPlaces = 32

// form is a rule as it is mined: templates by number. The triggers of a set are its
// members, which are its places too.
type form struct {
	mode     string
	triggers []int32
	places   []int32
	change   bool // of new files: the places change with them; otherwise they exist
	any      bool // one of the places is enough
}

// asksExistence reports whether the places of a form must exist rather than change.
func (f form) asksExistence() bool { return f.mode == ModeCreated && !f.change }

func (f form) templates() []int32 {
	if f.mode == ModeSet {
		return f.places
	}
	return slices.Concat(f.triggers, f.places)
}

// past evaluates forms on the past.
type past struct {
	*Corpus

	templates []template
	matches   [][]int32
	split     int32 // the first unit that is not mined
}

// occurrence is a name that triggered a form in a unit.
type occurrence struct {
	unit, name int32
	places     []int32 // names; -1 for one that never existed
	missing    int     // bit i: place i is missing
	changed    int     // bit i: place i changed
	present    bool    // some place exists or changed
	fresh      bool    // some place was created in the unit
}

// each calls visit with every occurrence of a form, in units of up to so many names. The
// occurrence is valid until visit returns.
func (p *past) each(f form, most int, visit func(occurrence)) {
	places := make([]int32, 0, len(f.places))
	for _, trigger := range f.triggers {
		for _, name := range p.matches[trigger] {
			path := p.paths[name]
			bound, ok := p.templates[trigger].match(path)
			if !ok || !p.owns(f, trigger, path, bound) {
				continue
			}
			places = places[:0]
			for _, place := range f.places {
				if f.mode == ModeSet && place == trigger {
					continue
				}
				id, known := p.ids[p.templates[place].expand(bound)]
				if !known {
					id = -1
				}
				places = append(places, id)
			}
			for _, e := range p.events[name] {
				if f.mode == ModeCreated && e.kind != created || len(p.units[e.unit].names) > most || p.units[e.unit].ignored {
					continue
				}
				o := occurrence{unit: e.unit, name: name, places: places}
				p.fill(&o, f)
				visit(o)
			}
		}
	}
}

// owns reports whether a path belongs to the trigger: no other template of the form has
// more literal text in it.
func (p *past) owns(f form, trigger int32, path string, bound captures) bool {
	literals := p.templates[trigger].literals(path, bound)
	for i, other := range f.templates() {
		if other == trigger {
			continue
		}
		if c, ok := p.templates[other].match(path); ok {
			n := p.templates[other].literals(path, c)
			if n > literals || n == literals && f.mode == ModeSet && i < slices.Index(f.places, trigger) {
				return false
			}
		}
	}
	return true
}

func (p *past) fill(o *occurrence, f form) {
	for i, place := range o.places {
		if place < 0 {
			if f.asksExistence() {
				o.missing |= 1 << i
			}
			continue
		}
		change, changed := p.changedIn(place, o.unit)
		exists := p.existsAfter(place, o.unit)
		switch {
		case f.asksExistence():
			o.present = true
			o.fresh = o.fresh || changed && change.kind == created
			if !exists {
				o.missing |= 1 << i
			}
		case changed:
			o.present = true
			o.changed |= 1 << i
		case exists:
			o.present = true
			o.missing |= 1 << i
		}
	}
	if f.any && o.changed != 0 {
		o.missing = 0
	}
}

// count sums up a form on the past.
func (p *past) count(f form, most int, s *slate) counted {
	s.wipe()
	var c counted
	p.each(f, most, func(o occurrence) {
		if !f.asksExistence() && !o.present {
			if s.touch(o.unit); o.unit < p.split {
				c.absent++
			} else {
				c.absentSince++
			}
			return
		}
		c.partial = c.partial || f.any && !p.complete(o)
		s.note(o.unit, o.missing != 0)
		if o.unit >= p.split {
			return
		}
		c.occurrences.Triggered++
		if o.missing == 0 {
			c.occurrences.Held++
			c.alone.Triggered++
			if o.fresh {
				c.alone.Held++
			}
		}
	})
	c.before, c.since = s.tallies(p.split)
	c.missedLast, c.vanished = s.missedLast(), s.vanished(p.split)
	return c
}
