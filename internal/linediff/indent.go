package linediff

// Bounds of what is measured.
const (
	maxIndent = 200
	maxBlanks = 20
)

// blank is the indent of a line with white space alone, and of the end of the text.
const blank = -1

func indentOf(line []byte) int {
	width := 0
	for _, c := range line {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		case '\n', '\r':
		default:
			return width
		}
		if width >= maxIndent {
			return maxIndent
		}
	}
	return blank
}

// nearest returns the indent of the nearest line in a direction that is not blank, and the
// number of blank ones before it.
func nearest(s *side, from, step int) (indent, blanks int) {
	for i := from; i >= 0 && i < len(s.lines); i += step {
		if indent := indentOf(s.lines[i]); indent != blank {
			return indent, blanks
		}
		if blanks++; blanks == maxBlanks {
			return 0, blanks
		}
	}
	return blank, blanks
}

// score rates a position; lower is better.
type score struct{ indent, penalty int }

func (s score) plus(t score) score { return score{s.indent + t.indent, s.penalty + t.penalty} }

// compare weighs the difference of indents against that of penalties.
func (s score) compare(t score) int {
	const indentWeight = 60
	difference := s.penalty - t.penalty
	switch {
	case s.indent > t.indent:
		difference += indentWeight
	case s.indent < t.indent:
		difference -= indentWeight
	}
	return difference
}

// splitScore rates a border of a run before line at, with git's weights.
func splitScore(s *side, at int) score {
	own := blank
	penalty := 0
	if at < len(s.lines) {
		own = indentOf(s.lines[at])
	} else {
		penalty += 21
	}
	before, blanksBefore := nearest(s, at-1, -1)
	after, blanksAfter := nearest(s, at+1, 1)
	if before == blank && blanksBefore == 0 {
		penalty++ // the start of the text
	}
	indent := own
	blanks := blanksBefore
	if own == blank {
		indent = after
		blanks += 1 + blanksAfter
		penalty += 6 * (1 + blanksAfter)
	}
	penalty -= 30 * blanks
	if indent != blank && before != blank {
		penalty += indentPenalty(before, indent, after, blanks > 0)
	}
	return score{indent, penalty}
}

// indentPenalty rates a change of indent between the lines around a border; next is the line
// after them.
func indentPenalty(before, indent, next int, blanks bool) int {
	choose := func(with, without int) int {
		if blanks {
			return with
		}
		return without
	}
	switch {
	case indent > before:
		return choose(10, -4)
	case indent == before:
		return 0
	case next != blank && next > indent:
		return choose(17, 24)
	}
	return choose(17, 23)
}
