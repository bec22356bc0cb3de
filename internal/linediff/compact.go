package linediff

// farSlide is the number of positions that are scored for one run.
const farSlide = 100

// run is a run of changed lines, perhaps empty: between two unchanged lines there is always one.
type run struct {
	side       *side
	start, end int
}

func firstRun(s *side) *run {
	r := &run{side: s}
	r.extend()
	return r
}

func (r *run) extend() {
	for r.side.isChanged(r.end) {
		r.end++
	}
}

func (r *run) empty() bool { return r.start == r.end }

func (r *run) next() bool {
	if r.end == len(r.side.lines) {
		return false
	}
	r.start, r.end = r.end+1, r.end+1
	r.extend()
	return true
}

func (r *run) previous() {
	r.end = r.start - 1
	for r.start = r.end; r.start > 0 && r.side.changed[r.start-1]; {
		r.start--
	}
}

// down moves the run by one line, if that gives the same text, and merges it with a run that
// it meets.
func (r *run) down() bool {
	s := r.side
	if r.end == len(s.lines) || s.class[r.start] != s.class[r.end] {
		return false
	}
	s.changed[r.start], s.changed[r.end] = false, true
	r.start, r.end = r.start+1, r.end+1
	r.extend()
	return true
}

func (r *run) up() bool {
	s := r.side
	if r.start == 0 || s.class[r.start-1] != s.class[r.end-1] {
		return false
	}
	r.start, r.end = r.start-1, r.end-1
	s.changed[r.start], s.changed[r.end] = true, false
	for r.start > 0 && s.changed[r.start-1] {
		r.start--
	}
	return true
}

// compact moves the runs of one side to where a reader expects them: next to a run of the
// other side, or to the position with the best score.
func compact(s, other *side) {
	r, o := firstRun(s), firstRun(other)
	for more := true; more; more = r.next() && o.next() {
		if r.empty() {
			continue
		}
		size, earliest, aligned := 0, 0, false
		for size != r.end-r.start {
			size = r.end - r.start
			for r.up() {
				o.previous()
			}
			earliest, aligned = r.end, !o.empty()
			for r.down() {
				o.next()
				aligned = aligned || !o.empty()
			}
		}
		target := r.end
		switch {
		case r.end == earliest:
		case aligned:
			for o.empty() {
				r.up()
				o.previous()
			}
			continue
		default:
			target = bestEnd(s, size, max(earliest, r.end-size-1, r.end-farSlide), r.end)
		}
		for r.end > target {
			r.up()
			o.previous()
		}
	}
}

// bestEnd returns the end, in a range, of the position with the lowest score; among equals the
// last.
func bestEnd(s *side, size, from, to int) int {
	best, bestScore := from, score{}
	for end := from; end <= to; end++ {
		sc := splitScore(s, end).plus(splitScore(s, end-size))
		if end == from || sc.compare(bestScore) <= 0 {
			best, bestScore = end, sc
		}
	}
	return best
}
