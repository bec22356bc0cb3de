package waiver

import (
	"strings"
)

// trailerKey is the key of the trailer that waives findings.
const trailerKey = "Rulecheck-Waive"

// trailersIn returns the values of a message's trailers with this key, and the values of
// lines elsewhere that look like one. As git-interpret-trailers(1) defines, trailers are in
// the last paragraph, which is not the first, and which has nothing but trailers, or at
// least one that git itself writes and at least a quarter of trailers. A line that begins
// with a blank continues the line before.
func trailersIn(message, key string) (values, strays []string) {
	lines := strings.Split(message, "\n")
	from, to := trailerBlock(lines)
	for i := range lines {
		value, ok := trailerOf(lines[i], key)
		if !ok {
			continue
		}
		if i < from || i >= to {
			strays = append(strays, value)
			continue
		}
		next := i + 1
		for next < to && isBlank(lines[next][0]) {
			next++
		}
		// Blanks at the ends of lines have no meaning in a value.
		values = append(values, strings.TrimSpace(value+" "+strings.Join(lines[i+1:next], " ")))
	}
	return values, strays
}

// gitTrailers are the beginnings of lines by which git recognizes a paragraph of trailers.
var gitTrailers = []string{"Signed-off-by: ", "(cherry picked from commit "}

// trailerBlock returns the first line of the trailers and the line after the last, like
// find_trailer_block_start in git's trailer.c.
func trailerBlock(lines []string) (from, to int) {
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
		case beginsWithAny(line, gitTrailers):
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

// trailerOf returns the value of a line that has the form of a trailer with this key.
func trailerOf(line, key string) (string, bool) {
	at := separator(line)
	if at < 1 || isBlank(line[0]) || !strings.EqualFold(strings.TrimSpace(line[:at]), key) {
		return "", false
	}
	return strings.TrimSpace(line[at+1:]), true
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

// isEmpty reports whether a line has only white space, as C defines it.
func isEmpty(line string) bool { return strings.Trim(line, " \t\n\v\f\r") == "" }

func isBlank(c byte) bool { return strings.IndexByte(" \t\n\v\f\r", c) >= 0 }

func beginsWithAny(line string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}
