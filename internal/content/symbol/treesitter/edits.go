package treesitter

import (
	"cmp"
	"slices"
)

// maxEdits bounds the places where two texts are compared: with more, most of the text is parsed again anyway.
const maxEdits = 256

// The words of an element of a list in C: of TSInputEdit, and of a cut.
const (
	wordsOfEdit = 9
	wordsOfCut  = 3
)

// edits describes where the text differs from its base, last first, each by the words of TSInputEdit: the offsets
// of its start, of its end in the base and of its end in the text, and the lines and columns of these.
func (f *file) edits(base *file) []uint32 {
	var words []uint32
	was, is := base.split(), f.split()
	wasEnd, isEnd := len(was), len(is)
	for _, r := range slices.Backward(append([]run{{}}, runs(was, is)...)) {
		if start, text := r.was+r.lines, r.is+r.lines; start < wasEnd || text < isEnd {
			begin, old, end, from := base.point(start), base.point(wasEnd), f.point(isEnd), f.point(text)
			end.offset += begin.offset - from.offset
			end.line += begin.line - from.line
			for _, p := range []point{begin, old, end} {
				words = append(words, uint32(p.offset)) //nolint:gosec // offsets and lines of a text of at most MaxText
			}
			for _, p := range []point{begin, old, end} {
				words = append(words, uint32(p.line), uint32(p.column)) //nolint:gosec // as before
			}
		}
		wasEnd, isEnd = r.was, r.is
	}
	return words
}

// point is a place in a text, from 0, with its column in bytes.
type point struct{ offset, line, column int }

// point returns the start of a line, or the end of the text.
func (f *file) point(line int) point {
	if line < len(f.lines) {
		return point{f.lines[line], line, 0}
	}
	return point{len(f.known), line - 1, len(f.known) - f.lines[line-1]}
}

// split returns the lines of the text with their ends. The last one has none.
func (f *file) split() []string {
	lines := make([]string, len(f.lines))
	for i, start := range f.lines {
		lines[i] = f.known[start:f.point(i+1).offset]
	}
	return lines
}

// run is a number of lines that are the same in two texts, from a line of each.
type run struct{ was, is, lines int }

// runs returns lines that two texts have in the same order: those at their starts and ends, and those around lines
// that both have once.
func runs(was, is []string) []run {
	start, end := 0, 0
	for start < min(len(was), len(is)) && was[start] == is[start] {
		start++
	}
	for end < min(len(was), len(is))-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	wasEnd, isEnd := len(was)-end, len(is)-end
	found := []run{{0, 0, start}}
	for _, r := range anchors(was[:wasEnd], is[:isEnd], start) {
		last := found[len(found)-1]
		w, i := last.was+last.lines, last.is+last.lines
		if r.was < w || r.is < i || len(found) == maxEdits {
			continue
		}
		for r.was > w && r.is > i && was[r.was-1] == is[r.is-1] {
			r.was, r.is, r.lines = r.was-1, r.is-1, r.lines+1
		}
		for r.was+r.lines < wasEnd && r.is+r.lines < isEnd && was[r.was+r.lines] == is[r.is+r.lines] {
			r.lines++
		}
		found = append(found, r)
	}
	return append(found, run{wasEnd, isEnd, end})
}

// anchors returns lines, from one on, that both texts have once: the most of them that have one order.
func anchors(was, is []string, start int) []run {
	type places struct{ count, at int }
	once := func(lines []string) map[string]places {
		all := make(map[string]places, len(lines)-start)
		for i := start; i < len(lines); i++ {
			all[lines[i]] = places{all[lines[i]].count + 1, i}
		}
		return all
	}
	before, after := once(was), once(is)
	var list []run
	for i := start; i < len(is); i++ {
		if p := before[is[i]]; p.count == 1 && after[is[i]].count == 1 {
			list = append(list, run{p.at, i, 1})
		}
	}
	// The longest increasing list: ends has the last elements of the best ones by their length.
	var ends []int
	previous := make([]int, len(list))
	for n, r := range list {
		at, _ := slices.BinarySearchFunc(ends, r.was, func(e, line int) int { return cmp.Compare(list[e].was, line) })
		if previous[n] = -1; at > 0 {
			previous[n] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, n)
		} else {
			ends[at] = n
		}
	}
	if len(ends) == 0 {
		return nil
	}
	best := make([]run, len(ends))
	for at, n := len(ends)-1, ends[len(ends)-1]; at >= 0; at, n = at-1, previous[n] {
		best[at] = list[n]
	}
	return best
}
