package mine

import "slices"

// seen is a name that changed with another one in a unit.
type seen struct{ unit, name, with int32 }

// cover drops forms whose occurrences better ones explain: at least half must be new.
func (p *past) cover(list []scored) []scored {
	covered := map[seen]bool{}
	var kept []scored
	for _, s := range list {
		var own []seen
		fresh := 0
		p.each(s.form, mostScoring, func(o occurrence) {
			if o.missing != 0 || !o.present || o.unit >= p.split {
				return
			}
			for _, place := range o.places {
				at := seen{o.unit, o.name, place}
				own = append(own, at)
				if !covered[at] {
					fresh++
				}
			}
		})
		if 2*fresh < len(own) || fresh == 0 {
			continue
		}
		for _, at := range own {
			covered[at] = true
		}
		kept = append(kept, s)
	}
	return kept
}

// merge makes sets of forms that hold in both directions, and one form of those with the
// same trigger, as long as the whole holds as its parts do.
func (p *past) merge(edges []scored, least float64) []scored {
	s := newSlate(len(p.units))
	try := func(f form, parts ...scored) (scored, bool) {
		if len(f.places) > mostPlaces {
			return scored{}, false
		}
		c := p.count(f, mostScoring, s)
		weaker := slices.ContainsFunc(parts, func(part scored) bool { return c.overall() < part.overall()-mergeLoss })
		return scored{f, c}, !weaker && p.holds(f, c, least)
	}
	reverse := func(e scored) int {
		return slices.IndexFunc(edges, func(r scored) bool { return e.triggers[0] == r.places[0] && e.places[0] == r.triggers[0] })
	}
	var sets []scored
	inSet := func(a, b int32) bool {
		return slices.ContainsFunc(sets, func(s scored) bool { return slices.Contains(s.places, a) && slices.Contains(s.places, b) })
	}
	for _, e := range edges {
		a, b := e.triggers[0], e.places[0]
		back := reverse(e)
		if back < 0 || inSet(a, b) {
			continue
		}
		grown := false
		for i := range sets {
			in, out := a, b
			if slices.Contains(sets[i].places, b) {
				in, out = b, a
			}
			if !slices.Contains(sets[i].places, in) || slices.Contains(sets[i].places, out) {
				continue
			}
			places := append(slices.Clone(sets[i].places), out)
			if merged, ok := try(form{mode: ModeSet, triggers: places, places: places}, sets[i], e, edges[back]); ok {
				sets[i], grown = merged, true
				break
			}
		}
		if grown {
			continue
		}
		if merged, ok := try(form{mode: ModeSet, triggers: []int32{a, b}, places: []int32{a, b}}, e, edges[back]); ok {
			sets = append(sets, merged)
		}
	}
	var pairs []scored
	for _, e := range edges {
		if inSet(e.triggers[0], e.places[0]) {
			continue
		}
		i := slices.IndexFunc(pairs, func(s scored) bool { return s.triggers[0] == e.triggers[0] })
		if i >= 0 {
			if merged, ok := try(form{mode: ModePair, triggers: e.triggers, places: append(slices.Clone(pairs[i].places), e.places[0])}, pairs[i], e); ok {
				pairs[i] = merged
				continue
			}
		}
		pairs = append(pairs, e)
	}
	return append(sets, p.widen(pairs, least, s)...)
}

// newFiles returns rules about new files: those with captures whose counterpart was mostly
// new as well, unless a rule about changes asks for the same.
func (p *past) newFiles(list []candidate, found []scored) []scored {
	var forms []form
	for _, c := range list {
		if c.created < leastCaptured || p.templates[c.a].literal() {
			continue
		}
		for _, d := range [...][2]int32{{c.a, c.b}, {c.b, c.a}} {
			known := slices.ContainsFunc(found, func(s scored) bool {
				return slices.Contains(s.triggers, d[0]) && slices.Contains(s.places, d[1])
			})
			if !known && !p.ofTest(d[0], d[1]) {
				forms = append(forms, form{mode: ModeCreated, triggers: []int32{d[0]}, places: []int32{d[1]}})
			}
		}
	}
	kept := p.score(forms, func(_ form, c counted) bool {
		return c.before.Triggered >= leastCreated && c.bound() >= leastCreatedBound && c.overall() >= leastCreatedBound &&
			c.proven() && 2*c.alone.Held >= c.alone.Triggered
	})
	return p.coverAfter(kept, found)
}

// coverAfter drops the forms about new files that others explain.
func (p *past) coverAfter(list, found []scored) []scored {
	known := map[[2]int32]bool{}
	mark := func(s scored) (pairs [][2]int32, fresh int) {
		p.each(s.form, mostScoring, func(o occurrence) {
			for _, place := range o.places {
				if pair := [2]int32{o.name, place}; o.missing == 0 {
					pairs = append(pairs, pair)
					if !known[pair] {
						fresh++
					}
				}
			}
		})
		return pairs, fresh
	}
	add := func(pairs [][2]int32) {
		for _, pair := range pairs {
			known[pair] = true
		}
	}
	for _, s := range found {
		pairs, _ := mark(s)
		add(pairs)
	}
	var kept []scored
	for _, s := range list {
		if pairs, fresh := mark(s); fresh > 0 && 2*fresh >= len(pairs) {
			add(pairs)
			kept = append(kept, s)
		}
	}
	return kept
}
