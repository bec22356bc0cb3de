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
	absent        int   // triggers without any counterpart that existed
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

// slate notes, for one rule at a time, in which units it was triggered and missed.
type slate struct {
	stamp   []int32
	missed  []bool
	touched []int32
	round   int32
}

func newSlate(units int) *slate {
	return &slate{stamp: make([]int32, units), missed: make([]bool, units)}
}

func (s *slate) wipe() {
	s.round++
	s.touched = s.touched[:0]
}

func (s *slate) note(unit int32, missed bool) {
	if s.stamp[unit] != s.round {
		s.stamp[unit], s.missed[unit] = s.round, false
		s.touched = append(s.touched, unit)
	}
	s.missed[unit] = s.missed[unit] || missed
}

// missedLast reports whether the rule missed in one of the two newest units.
func (s *slate) missedLast() bool {
	last, before := int32(-1), int32(-1)
	for _, u := range s.touched {
		switch {
		case u > last:
			last, before = u, last
		case u > before:
			before = u
		}
	}
	return last >= 0 && s.missed[last] || before >= 0 && s.missed[before]
}

// tallies sums up the units before and since the split.
func (s *slate) tallies(split int32) (before, since Tally) {
	for _, u := range s.touched {
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
