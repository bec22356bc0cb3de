package mine

// Tally counts units in which a rule was triggered, and in which it held: where every file
// that triggered it had its counterparts.
type Tally struct {
	Triggered int `json:"triggered"`
	Held      int `json:"held"`
}

func (t Tally) share() float64 {
	if t.Triggered == 0 {
		return 0
	}
	return float64(t.Held) / float64(t.Triggered)
}

func (t Tally) plus(o Tally) Tally { return Tally{t.Triggered + o.Triggered, t.Held + o.Held} }

// counted sums up what a rule did in the past.
type counted struct {
	before, since Tally // units, in the part that was mined and in the newest part
	occurrences   Tally // single triggers, in the part that was mined
	absent        int   // triggers without any counterpart that existed, in the part that was mined
	absentSince   int   // the same in the newest part
	vanished      bool  // no counterpart existed lately, see [slate.vanished]
	partial       bool  // an occurrence had some counterparts, and others did not exist
	missedLast    bool  // in one of the two newest units
	alone         Tally // of created rules: of those held, the ones whose counterpart was new too
}

// bound returns the lower bound of the share of units in the mined part in which the rule
// held: the smaller of that by units and that by occurrences.
func (c counted) bound() float64 {
	return min(lowerBound(c.before.Held, c.before.Triggered), lowerBound(c.occurrences.Held, c.occurrences.Triggered))
}

// overall returns the bound by units over both parts.
func (c counted) overall() float64 {
	all := c.before.plus(c.since)
	return lowerBound(all.Held, all.Triggered)
}

// slate notes, for one rule at a time, in which units it was triggered and missed. Units in
// which no counterpart existed count for nothing but vanished.
type slate struct {
	stamp   []int32
	missed  []bool
	present []bool
	touched []int32
	round   int32
}

func newSlate(units int) *slate {
	return &slate{stamp: make([]int32, units), missed: make([]bool, units), present: make([]bool, units)}
}

func (s *slate) wipe() {
	s.round++
	s.touched = s.touched[:0]
}

// note notes a trigger with a counterpart that existed.
func (s *slate) note(unit int32, missed bool) {
	s.touch(unit)
	s.present[unit] = true
	s.missed[unit] = s.missed[unit] || missed
}

// touch notes a trigger, with a counterpart or without.
func (s *slate) touch(unit int32) {
	if s.stamp[unit] != s.round {
		s.stamp[unit], s.missed[unit], s.present[unit] = s.round, false, false
		s.touched = append(s.touched, unit)
	}
}

// missedLast reports whether the rule missed in one of the two newest units.
func (s *slate) missedLast() bool {
	last, before := s.newest(func(unit int32) bool { return s.present[unit] })
	return last >= 0 && s.missed[last] || before >= 0 && s.missed[before]
}

// vanished reports whether no counterpart existed in the two newest units, or in most of those
// since the split.
func (s *slate) vanished(split int32) bool {
	last, before := s.newest(func(int32) bool { return true })
	lately, without := 0, 0
	for _, unit := range s.touched {
		if unit >= split {
			lately++
			if !s.present[unit] {
				without++
			}
		}
	}
	return before >= 0 && !s.present[last] && !s.present[before] || 2*without > lately
}

// newest returns the two newest units of a kind that were touched, or -1.
func (s *slate) newest(of func(unit int32) bool) (last, before int32) {
	last, before = -1, -1
	for _, u := range s.touched {
		switch {
		case !of(u):
		case u > last:
			last, before = u, last
		case u > before:
			before = u
		}
	}
	return last, before
}

// tallies sums up the units before and since the split.
func (s *slate) tallies(split int32) (before, since Tally) {
	for _, u := range s.touched {
		if !s.present[u] {
			continue
		}
		t := &before
		if u >= split {
			t = &since
		}
		t.Triggered++
		if !s.missed[u] {
			t.Held++
		}
	}
	return before, since
}
