package mine

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sourcegraph/conc/iter"
)

// Limits of rules for which one of several files is enough. They are stricter than those of
// other rules, because the alternatives are chosen among many after the fact.
const (
	mostAlternatives = 3
	mostConsidered   = 8   // counterparts of a trigger that are combined
	leastAlone       = 3   // units in which only this alternative changed
	leastAloneShare  = 0.1 // share of them among the units that held
	leastAnyProving  = 5   // units in the newest part that hold
	mostChance       = 0.2 // share of all units that change an alternative: of more, a change is no sign
)

// alternatives returns the rules for which one of two or three files is enough, for triggers
// that no single file follows, where no rule of found explains the same.
func (p *past) alternatives(list []candidate, edges, found []scored, least float64) []scored {
	forms := slices.Concat(iter.Map(p.considered(list, edges, least), func(f *form) []form { return p.combine(*f, least) })...)
	kept := p.score(forms, func(_ form, c counted) bool {
		all := c.before.Triggered + c.absentUnits()
		return c.bound() >= least-minedLess && c.overall() >= least && c.proven() && c.since.Held >= leastAnyProving &&
			float64(c.before.Triggered) >= leastPresent*float64(all)
	})
	return p.coverAny(kept, found)
}

// considered returns for each trigger that no single file follows a form with the files that
// changed with it most often, if these are enough to hold together.
func (p *past) considered(list []candidate, edges []scored, least float64) []form {
	single := map[int32]bool{}
	for _, e := range edges {
		single[e.triggers[0]] = true
	}
	type partner struct{ place, units int32 }
	partners := map[int32][]partner{}
	for _, c := range list {
		for _, d := range [...][2]int32{{c.a, c.b}, {c.b, c.a}} {
			if !single[d[0]] && !p.backwards(d[0], d[1]) && !isManifest(p.templates[d[1]].String()) {
				partners[d[0]] = append(partners[d[0]], partner{d[1], c.units})
			}
		}
	}
	triggered := p.triggered()
	var forms []form
	for trigger, all := range partners {
		slices.SortFunc(all, func(a, b partner) int {
			return cmp.Or(cmp.Compare(b.units, a.units), p.compareTemplates(a.place, b.place))
		})
		all = all[:min(len(all), mostConsidered)]
		f := form{mode: ModePair, triggers: []int32{trigger}, any: true}
		together := int32(0)
		for i, partner := range all {
			f.places = append(f.places, partner.place)
			if i < mostAlternatives {
				together += partner.units
			}
		}
		if len(all) > 1 && float64(together) >= (least-minedLess)*float64(triggered(trigger)) {
			forms = append(forms, f)
		}
	}
	return forms
}

// tried is an occurrence of a trigger with the considered files, as bits.
type tried struct {
	unit             int32
	changed, present int
}

// combine returns the forms with two of the considered files that look as if they held; if
// there are none, those with three.
func (p *past) combine(f form, least float64) []form {
	var all []tried
	chance := make([]int, len(f.places)) // sum of the units that change a place
	p.each(f, mostScoring, func(o occurrence) {
		t := tried{unit: o.unit, changed: o.changed, present: o.changed | o.missing}
		for i, place := range o.places {
			if place < 0 {
				continue
			}
			chance[i] += len(p.events[place])
			if o.changed != 0 && p.existsAfter(place, o.unit) {
				t.present |= 1 << i
			}
		}
		all = append(all, t)
	})
	slices.SortStableFunc(all, func(a, b tried) int { return cmp.Compare(a.unit, b.unit) })
	for size := 2; size <= mostAlternatives; size++ {
		var forms []form
		for set := range 1 << len(f.places) {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			sum := 0
			chosen := form{mode: f.mode, triggers: f.triggers, any: true}
			for i, place := range f.places {
				if set&(1<<i) != 0 {
					sum += chance[i]
					chosen.places = append(chosen.places, place)
				}
			}
			if float64(sum) <= mostChance*float64(len(p.units))*float64(len(all)) && p.eachNeeded(all, set, least) {
				forms = append(forms, chosen)
			}
		}
		if len(forms) > 0 {
			return forms
		}
	}
	return nil
}

// eachNeeded reports whether one of a set of files changed often enough, and each of them
// alone, and lately as well.
func (p *past) eachNeeded(all []tried, set int, least float64) bool {
	var alone [mostConsidered]int
	held, units, lately := 0, 0, 0
	for i := 0; i < len(all); {
		unit, ok, present, changed := all[i].unit, true, false, 0
		for ; i < len(all) && all[i].unit == unit; i++ {
			if all[i].present&set == 0 {
				continue
			}
			present = true
			ok = ok && all[i].changed&set != 0
			changed |= all[i].changed & set
		}
		if unit >= p.split {
			lately |= changed
			continue
		}
		if present {
			units++
		}
		if present && ok {
			held++
			if bits.OnesCount(uint(changed)) == 1 {
				alone[bits.TrailingZeros(uint(changed))]++
			}
		}
	}
	for i := range alone {
		if set&(1<<i) != 0 && (alone[i] < leastAlone || float64(alone[i]) < leastAloneShare*float64(held)) {
			return false
		}
	}
	return lately == set && lowerBound(held, units) >= least-minedLess
}

// coverAny drops the forms of whose occurrences other rules, or better forms, explain half.
func (p *past) coverAny(list, found []scored) []scored {
	type at struct{ unit, name int32 }
	known := map[at]bool{}
	held := func(s scored) (own []at, fresh int) {
		p.each(s.form, mostScoring, func(o occurrence) {
			if o.missing == 0 && o.present {
				own = append(own, at{o.unit, o.name})
				if !known[at{o.unit, o.name}] {
					fresh++
				}
			}
		})
		return own, fresh
	}
	add := func(own []at) {
		for _, o := range own {
			known[o] = true
		}
	}
	for _, s := range found {
		own, _ := held(s)
		add(own)
	}
	return slices.DeleteFunc(list, func(s scored) bool {
		own, fresh := held(s)
		if 2*fresh < len(own) {
			return true
		}
		add(own)
		return false
	})
}
