package linediff

import "math"

// Limits of git's search. Beyond costLimit steps, git may take an edit that is not the
// shortest; this search ends there.
const (
	costLimit   = 256
	frequent    = 1024 // a line that occurs this often is always frequent
	nearbyLines = 100
)

// shortestEdit marks the changed lines of both sides, or returns false beyond the limit.
func shortestEdit(a, b *side) bool {
	start, end := 0, 0
	most := min(len(a.lines), len(b.lines))
	for start < most && a.class[start] == b.class[start] {
		start++
	}
	for end < most-start && a.class[len(a.class)-1-end] == b.class[len(b.class)-1-end] {
		end++
	}
	countA, countB := counts(a), counts(b)
	s := &search{a: choose(a, countB, start, len(a.lines)-end), b: choose(b, countA, start, len(b.lines)-end)}
	size := len(s.a.class) + len(s.b.class) + 3
	s.zero = len(s.b.class) + 1
	s.forward, s.backward = make([]int, size), make([]int, size)
	return s.compare(0, len(s.a.class), 0, len(s.b.class))
}

func counts(s *side) map[int]int {
	n := map[int]int{}
	for _, c := range s.class {
		n[c]++
	}
	return n
}

// chosen is the part of a side that is searched: the classes of some of its lines.
type chosen struct {
	side  *side
	class []int
	line  []int
}

// choose marks the lines that the other side does not have, and frequent ones among them,
// as changed, and returns the rest of the lines from start to end.
func choose(s *side, inOther map[int]int, start, end int) *chosen {
	limit := min(roughRoot(len(s.lines)), frequent)
	found := make([]int, len(s.lines)) // 0: not in the other side, 1: some, 2: many
	for i := start; i < end; i++ {
		switch n := inOther[s.class[i]]; {
		case n >= limit && n > 0:
			found[i] = 2
		case n > 0:
			found[i] = 1
		}
	}
	c := &chosen{side: s}
	for i := start; i < end; i++ {
		if found[i] == 1 || found[i] == 2 && !amongMissing(found, i, start, end) {
			c.class, c.line = append(c.class, s.class[i]), append(c.line, i)
		} else {
			s.changed[i] = true
		}
	}
	return c
}

// roughRoot returns a power of two near the square root of n.
func roughRoot(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return root
}

// amongMissing reports whether a frequent line is in a run of lines, most of which are missing
// on the other side.
func amongMissing(found []int, at, start, end int) bool {
	missing, many := 0, 2
	for _, step := range []int{-1, 1} {
		near := 0
		for i, n := at+step, 1; i >= start && i < end && n <= nearbyLines && found[i] != 1; i, n = i+step, n+1 {
			if found[i] == 0 {
				near++
			} else {
				many++
			}
		}
		if near == 0 {
			return false
		}
		missing += near
	}
	return many*4 < many+missing
}

// search is the divide-and-conquer search of Myers (An O(ND) Difference Algorithm, 1986). A
// diagonal is the position in a less the position in b; zero is the place of diagonal 0.
type search struct {
	a, b              *chosen
	forward, backward []int
	zero              int
}

// compare marks the changes in a part of both sides. Which of several shortest edits it finds
// depends on the order in which diagonals are extended.
func (s *search) compare(fromA, toA, fromB, toB int) bool {
	for fromA < toA && fromB < toB && s.a.class[fromA] == s.b.class[fromB] {
		fromA, fromB = fromA+1, fromB+1
	}
	for fromA < toA && fromB < toB && s.a.class[toA-1] == s.b.class[toB-1] {
		toA, toB = toA-1, toB-1
	}
	if fromA == toA || fromB == toB {
		s.a.mark(fromA, toA)
		s.b.mark(fromB, toB)
		return true
	}
	atA, atB, ok := s.middle(fromA, toA, fromB, toB)
	return ok && s.compare(fromA, atA, fromB, atB) && s.compare(atA, toA, atB, toB)
}

func (c *chosen) mark(from, to int) {
	for _, line := range c.line[from:to] {
		c.side.changed[line] = true
	}
}

// reach is the range of diagonals that a search from one end has extended.
type reach struct{ min, max int }

// widen extends the range by one on both sides, within the box, and gives the new neighbours
// a value that loses every comparison.
func (r *reach) widen(at []int, zero, least, most, worst int) {
	if r.min > least {
		r.min--
		at[zero+r.min-1] = worst
	} else {
		r.min++
	}
	if r.max < most {
		r.max++
		at[zero+r.max+1] = worst
	} else {
		r.max--
	}
}

// middle returns a point on a shortest edit: where searches from both ends meet.
func (s *search) middle(fromA, toA, fromB, toB int) (atA, atB int, ok bool) {
	least, most := fromA-toB, toA-fromB
	start, end := fromA-fromB, toA-toB
	odd := (start-end)%2 != 0
	f, b := reach{start, start}, reach{end, end}
	forward, backward := s.forward, s.backward
	forward[s.zero+start], backward[s.zero+end] = fromA, toA
	for range costLimit {
		f.widen(forward, s.zero, least, most, -1)
		for d := f.max; d >= f.min; d -= 2 {
			k := s.zero + d
			i := forward[k+1]
			if forward[k-1] >= forward[k+1] {
				i = forward[k-1] + 1
			}
			for i < toA && i-d < toB && s.a.class[i] == s.b.class[i-d] {
				i++
			}
			forward[k] = i
			if odd && b.min <= d && d <= b.max && backward[k] <= i {
				return i, i - d, true
			}
		}
		b.widen(backward, s.zero, least, most, math.MaxInt)
		for d := b.max; d >= b.min; d -= 2 {
			k := s.zero + d
			i := backward[k+1] - 1
			if backward[k-1] < backward[k+1] {
				i = backward[k-1]
			}
			for i > fromA && i-d > fromB && s.a.class[i-1] == s.b.class[i-d-1] {
				i--
			}
			backward[k] = i
			if !odd && f.min <= d && d <= f.max && i <= forward[k] {
				return i, i - d, true
			}
		}
	}
	return 0, 0, false
}
