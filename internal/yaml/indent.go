package yaml

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// keyLine matches a line with a key: its indentation, its name and a value on the same line.
var keyLine = lazyregexp.New(`^( *)([A-Za-z_][A-Za-z0-9_-]*):(?: +([^ #].*))?$`)

// uneven returns the key in or next to a line that is not in the column of the key above it,
// with what is wrong. It is not ok if there is none. The library's words for that are about
// its own parser.
func (d *document) uneven(at Place) (key Place, wrong string, ok bool) {
	for _, below := range []int{at.Line, at.Line + 1} {
		lower := keyLine().FindStringSubmatch(d.at(below))
		upper := keyLine().FindStringSubmatch(d.at(d.above(below)))
		if lower == nil || upper == nil || upper[3] == "" || strings.IndexByte("|>", upper[3][0]) >= 0 {
			continue
		}
		key = Place{below, len(lower[1]) + 1}
		switch {
		case len(lower[1]) > len(upper[1]):
			return key, fmt.Sprintf("%q is indented deeper than %q, which has a value; want both in column %d", lower[2], upper[2], len(upper[1])+1), true
		case len(lower[1]) < len(upper[1]) && d.above(d.above(below)) < d.first:
			return key, fmt.Sprintf("%q is indented less than %q, the first key; want both in column %d", lower[2], upper[2], len(lower[1])+1), true
		}
	}
	return Place{}, "", false
}

// above returns the nearest line above that is neither blank nor a comment; less than the first
// if there is none.
func (d *document) above(line int) int {
	for line--; line >= d.first; line-- {
		if text := strings.TrimLeft(d.at(line), " "); text != "" && text[0] != '#' {
			break
		}
	}
	return line
}

// at returns a line; empty if there is none.
func (d *document) at(line int) string {
	if line < d.first || line >= d.first+len(d.lines) {
		return ""
	}
	return d.line(Place{line, 1})
}
