package mine

import (
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"
)

// edges returns the forms with one trigger and one place that held, the best first, and those
// that held in a part of the units.
func (p *past) edges(list []candidate, listings []form, least float64) (held, partly []scored) {
	triggered := p.triggered()
	var forms []form
	for _, f := range listings {
		if f.mode == ModePair && !p.backwards(f.triggers[0], f.places[0]) {
			forms = append(forms, f)
		}
	}
	rough := least - captureBonus - minedLess
	for _, c := range list {
		for _, d := range [...][2]int32{{c.a, c.b}, {c.b, c.a}} {
			// At most that many units of the trigger have the counterpart.
			if p.backwards(d[0], d[1]) {
				continue
			}
			if float64(c.units) >= leastPresent*rough*float64(triggered(d[0])) {
				forms = append(forms, form{mode: ModePair, triggers: []int32{d[0]}, places: []int32{d[1]}})
			}
		}
	}
	all := p.score(forms, func(f form, c counted) bool {
		all := c.before.Triggered + c.absentUnits()
		return (p.holds(f, c, least) || c.moderate()) && float64(c.before.Triggered) >= leastPresent*float64(all)
	})
	for _, s := range all {
		if p.holds(s.form, s.counted, least) {
			held = append(held, s)
		} else {
			partly = append(partly, s)
		}
	}
	return held, partly[:min(len(partly), mostPartly)]
}

// mostPartly is the number of forms for which conditions are looked for.
const mostPartly = 500

// moderate reports whether a condition may be all that a form lacks.
func (c counted) moderate() bool {
	return c.before.Held >= leastCondition && c.before.share() >= leastModerate && c.before.share() < mostModerate && !c.vanished
}

// absentUnits estimates the units without any counterpart from the occurrences.
func (c counted) absentUnits() int {
	if c.occurrences.Triggered == 0 {
		return c.absent
	}
	return c.absent * c.before.Triggered / c.occurrences.Triggered
}

// triggered returns a function that counts the units that a template matched names of, among
// those that candidates are generated from.
func (p *past) triggered() func(template int32) int32 {
	counts := make([]int32, len(p.templates))
	for i := range counts {
		counts[i] = -1
	}
	stamp := make([]int32, p.split)
	round := int32(0)
	return func(t int32) int32 {
		if counts[t] >= 0 {
			return counts[t]
		}
		round++
		n := int32(0)
		for _, name := range p.matches[t] {
			for _, e := range p.events[name] {
				if e.unit < p.split && stamp[e.unit] != round && len(p.units[e.unit].names) <= mostGenerating && !p.units[e.unit].ignored {
					stamp[e.unit] = round
					n++
				}
			}
		}
		counts[t] = n
		return n
	}
}

// score counts forms on all processors and returns those to keep, the best first.
func (p *past) score(forms []form, keep func(form, counted) bool) []scored {
	workers := runtime.GOMAXPROCS(0)
	parts := make([][]form, workers)
	for i, f := range forms { // dealt out, because neighbours cost the same
		parts[i%workers] = append(parts[i%workers], f)
	}
	kept := slices.Concat(iter.Map(parts, func(part *[]form) []scored {
		s := newSlate(len(p.units))
		var kept []scored
		for _, f := range *part {
			if c := p.count(f, mostScoring, s); keep(f, c) {
				kept = append(kept, scored{f, c})
			}
		}
		return kept
	})...)
	slices.SortFunc(kept, p.better)
	return kept
}
