package language

import (
	"regexp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// quote is a form of strings.
type quote struct {
	open, end string
	pattern   func() *regexp.Regexp // what the author chose of its beginning; open begins each of them, and end has $1
	escapes   bool                  // a backslash takes the next character
	lines     bool                  // it may continue on the next line
	nests     [][2]string           // what begins and ends code in it; only the strict reader looks for it
	goesOn    string                // an end before one of these characters does not count
}

var (
	double   = quote{open: `"`, end: `"`, escapes: true}
	single   = quote{open: `'`, end: `'`, escapes: true}
	literal  = quote{open: `'`, end: `'`}
	backtick = quote{open: "`", end: "`", escapes: true, lines: true}
	triple   = quote{open: `"""`, end: `"""`, escapes: true, lines: true}
	triple1  = quote{open: `'''`, end: `'''`, escapes: true, lines: true}
	brackets = quote{open: `[`, end: `]$1]`, pattern: lazyregexp.New(`^\[(=*)\[`), lines: true}

	rawCPP    = quote{open: `R"`, end: `)$1"`, pattern: lazyregexp.New(`^R"([^()\\\s]{0,16})\(`), lines: true}
	rawCSharp = quote{open: `"""`, end: `$1`, pattern: lazyregexp.New(`^("{3,})`), lines: true}
	rawR      = quote{end: `)$1"`, open: `r"`, pattern: lazyregexp.New(`^r"(-*)\(`), lines: true}
	rawRust   = quote{open: `r`, end: `"$1`, pattern: lazyregexp.New(`^r(#*)"`), lines: true}
	extended  = quote{open: `#`, end: `$2$1`, pattern: lazyregexp.New(`^(#+)("{1,3})`), lines: true}
)

// quoteAt returns the string that the rest of a line begins with, and the length of its beginning.
func (s *scanner) quoteAt(rest string) (q *quote, length int) {
	for i := range s.strings {
		q := &s.strings[i]
		if !strings.HasPrefix(rest, q.open) {
			continue
		}
		if q.pattern == nil {
			return q, len(q.open)
		}
		if m := q.pattern().FindStringSubmatchIndex(rest); m != nil {
			chosen := *q
			chosen.end = string(q.pattern().ExpandString(nil, q.end, rest, m))
			return &chosen, m[1]
		}
	}
	return nil, 0
}

// after returns the place after the end of a string, or -1 if the line does not have it.
func (q *quote) after(line string, from int) int {
	for at := from; at < len(line); at++ {
		if q.escapes && line[at] == '\\' {
			at++
			continue
		}
		if !strings.HasPrefix(line[at:], q.end) {
			continue
		}
		next := at + len(q.end)
		if next == len(line) || strings.IndexByte(q.goesOn, line[next]) < 0 {
			return next
		}
		at = next
	}
	return -1
}

// heredoc matches the beginning of a here-document.
var heredoc = lazyregexp.New(`^<<[-~]?\s*["'\\]?([A-Za-z_][A-Za-z0-9_]*)["']?`)

// hereDocumentAt returns the word that ends a here-document, and the length of its beginning. Where no
// line below has that word alone, the sign is an operator.
func (s *scanner) hereDocumentAt(rest string, number int) (word string, length int) {
	if !s.heredoc || !strings.HasPrefix(rest, "<<") {
		return "", 0
	}
	m := heredoc().FindStringSubmatch(rest)
	if m == nil {
		return "", 0
	}
	if s.ends == nil {
		s.ends = map[string]int{}
		line := 0
		for text := range strings.Lines(s.text) {
			line++
			s.ends[alone(text)] = line
		}
	}
	if s.ends[m[1]] <= number {
		return "", 0
	}
	return m[1], len(m[0])
}

// alone returns the word of a line that may end a here-document: PHP's may end the statement, too.
func alone(line string) string {
	return strings.TrimRight(strings.TrimSpace(line), ";,)")
}
