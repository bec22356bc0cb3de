package mine

import "time"

// repairTime is the time in which a later commit can show that a miss was a mistake.
const repairTime = 30 * 24 * time.Hour

// repaired counts the units in which a rule did not hold and a missing file followed: in a later
// unit, soon, and without the file that triggered the rule.
func (p *past) repaired(f form, held map[int32]bool) int {
	units := map[int32]bool{}
	p.each(f, len(p.paths), func(o occurrence) {
		if ok, applied := held[o.unit]; applied && !ok && o.missing != 0 && p.followed(o, f.any) {
			units[o.unit] = true
		}
	})
	return len(units)
}

// followed reports whether each missing file of an occurrence, or any of them if one is
// enough, changed soon after it.
func (p *past) followed(o occurrence, oneEnough bool) bool {
	end := p.units[o.unit].time.Add(repairTime)
	for i, place := range o.places {
		if o.missing&(1<<i) == 0 {
			continue
		}
		if followed := place >= 0 && p.changedAlone(place, o.name, o.unit, end); followed == oneEnough {
			return oneEnough
		}
	}
	return !oneEnough
}

// changedAlone reports whether a file changed after a unit and until a time, in a unit in
// which another file did not.
func (p *past) changedAlone(path, without, after int32, until time.Time) bool {
	for _, e := range p.events[path] {
		if e.unit <= after || e.kind == gone {
			continue
		}
		if p.units[e.unit].time.After(until) {
			return false
		}
		if _, changed := p.changedIn(without, e.unit); !changed {
			return true
		}
	}
	return false
}
