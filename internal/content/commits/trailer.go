package commits

import (
	"slices"
	"strings"
)

// gitTrailers are the beginnings of lines by which git recognizes a paragraph of trailers.
var gitTrailers = []string{"Signed-off-by: ", "(cherry picked from commit "}

// TrailerBlock returns the first line of the trailers and the line after the last, like
// find_trailer_block_start in git's trailer.c.
func TrailerBlock(lines []string) (from, to int) {
	to = len(lines)
	for to > 0 && (isComment(lines[to-1]) || isEmpty(lines[to-1])) {
		to--
	}
	title := 0
	for title < to && (isComment(lines[title]) || !isEmpty(lines[title])) {
		title++
	}
	trailers, others, continued := 0, 0, 0
	ofGit := false
	for i := to - 1; i >= title; i-- {
		line := lines[i]
		switch {
		case isComment(line):
			others += continued
			continued = 0
		case isEmpty(line):
			others += continued
			if trailers > 0 && (others == 0 || ofGit && 3*trailers >= others) {
				return i + 1, to
			}
			return to, to
		case slices.ContainsFunc(gitTrailers, func(begin string) bool { return strings.HasPrefix(line, begin) }):
			trailers++
			continued = 0
			ofGit = true
		case isBlank(line[0]):
			continued++
		case separator(line) > 0:
			trailers++
			continued = 0
		default:
			others += 1 + continued
			continued = 0
		}
	}
	return to, to
}

// TrailerIn returns the trailer that begins on a line, if one does.
func TrailerIn(line string) (Trailer, bool) {
	at := separator(line)
	if at < 1 || isBlank(line[0]) {
		return Trailer{}, false
	}
	return Trailer{Key: strings.TrimSpace(line[:at]), Value: strings.TrimSpace(line[at+1:])}, true
}

// With returns the trailer with the lines after it that continue it, up to line to, and the
// index of the line after them.
func (t Trailer) With(lines []string, from, to int) (Trailer, int) {
	for from < to && isBlank(lines[from][0]) {
		t.Value = strings.TrimSpace(t.Value + " " + strings.TrimSpace(lines[from]))
		from++
	}
	return t, from
}

// separator returns the index of the colon after a trailer's key, -1 if there is none. A
// key consists of letters, digits and "-"; blanks may follow it.
func separator(line string) int {
	blanks := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == ':':
			return i
		case !blanks && (c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'):
		case i > 0 && (c == ' ' || c == '\t'):
			blanks = true
		default:
			return -1
		}
	}
	return -1
}

func isComment(line string) bool { return strings.HasPrefix(line, "#") }

// space is the white space of C.
const space = " \t\n\v\f\r"

func isEmpty(line string) bool { return strings.Trim(line, space) == "" }

func isBlank(c byte) bool { return strings.IndexByte(space, c) >= 0 }
