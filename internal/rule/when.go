package rule

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Condition is a text that decides whether something applies, with its place in
// the YAML it was read from: a rule's when, a transition's, a gate's.
type Condition struct {
	Text string
	File string
	at   yaml.Place   // of the value
	runs []yaml.Place // of each byte of Text where the file has it as it is; cut where it has not
}

// CodeBadCondition is the code of every problem a condition has.
const CodeBadCondition = "bad_condition"

// Problem says that something is wrong with the condition at a byte of its
// text, from 0, or behind it. Where the file does not have that byte as it is, as behind an
// escape, the problem lies where the value begins.
func (c *Condition) Problem(offset int, message string) finding.Problem {
	at := c.at
	switch {
	case offset < 0:
	case offset < len(c.runs):
		at = c.runs[offset]
	case len(c.runs) > 0 && len(c.runs) == len(c.Text):
		at = c.runs[len(c.runs)-1]
		at.Column++
	}
	return finding.Problem{File: c.File, Line: at.Line, Column: at.Column, Code: CodeBadCondition, Message: message}
}

// newCondition makes a condition of a scalar of a YAML document, of which
// source is all and first its line in the file.
func newCondition(file string, n *yaml.Node, source string, first int) *Condition {
	c := &Condition{Text: n.Text, File: file, at: n.At}
	lines := strings.Split(source, "\n")
	row := n.At.Line - first
	if row < 0 || row >= len(lines) {
		return c
	}
	c.runs = align(n.Text, lines[row:], n.At)
	return c
}

// align finds the bytes of a scalar's text in the lines that it is written on,
// the first of which it begins at. However YAML folds and indents, what is not
// blank stands there in the same order, escapes apart.
func align(text string, lines []string, at yaml.Place) []yaml.Place {
	s := scalarReader{lines: lines, at: yaml.Place{Line: 0, Column: at.Column}, first: at.Line}
	s.open()
	places := make([]yaml.Place, 0, len(text))
	for i := range len(text) {
		if isBlank(text[i]) {
			places = append(places, s.place())
			if s.at.Column <= len(s.line()) && s.line()[s.at.Column-1] == text[i] {
				s.at.Column++
			}
			continue
		}
		if !s.find(text[i]) {
			break
		}
		places = append(places, s.place())
		s.at.Column++
	}
	return places
}

// scalarReader goes through a scalar as the file has it.
type scalarReader struct {
	lines []string
	at    yaml.Place // line from 0
	first int        // line of the file that line 0 is
	quote byte       // ' or ", or 0
}

func (s *scalarReader) line() string { return s.lines[s.at.Line] }

func (s *scalarReader) place() yaml.Place {
	return yaml.Place{Line: s.first + s.at.Line, Column: s.at.Column}
}

// open goes to the first byte of the content: behind a quote, or below the
// header of a literal or folded text.
func (s *scalarReader) open() {
	switch c := (s.line() + "\n")[s.at.Column-1]; c {
	case '\'', '"':
		s.quote = c
		s.at.Column++
	case '|', '>':
		s.at.Column = len(s.line()) + 1
	}
}

// find goes to the next byte that is not blank, which must be c.
func (s *scalarReader) find(c byte) bool {
	for ; s.at.Line < len(s.lines); s.at = (yaml.Place{Line: s.at.Line + 1, Column: 1}) {
		rest := s.line()[min(s.at.Column-1, len(s.line())):]
		for rest != "" && (isBlank(rest[0]) || s.foldsHere(rest)) {
			rest = rest[1:]
		}
		if rest == "" {
			continue
		}
		s.at.Column = len(s.line()) - len(rest) + 1
		if s.escapes(rest, c) {
			s.at.Column++
			return true
		}
		return rest[0] == c && (s.quote == 0 || c != s.quote) && (s.quote != '"' || c != '\\')
	}
	return false
}

// escapes reports whether rest begins with an escape that is c behind one byte.
func (s *scalarReader) escapes(rest string, c byte) bool {
	if len(rest) < 2 || rest[1] != c {
		return false
	}
	return s.quote == '\'' && rest[:2] == "''" || s.quote == '"' && rest[0] == '\\' && strings.IndexByte(`"\/`, c) >= 0
}

// foldsHere reports whether rest is the backslash at the end of a line, which
// YAML leaves out of a text in double quotes.
func (s *scalarReader) foldsHere(rest string) bool { return s.quote == '"' && rest == `\` }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// CheckCondition refuses a blank text where a condition is wanted; what else may
// be wrong with one, only those tell who know its words.
func CheckCondition(text string) *yaml.Issue {
	if strings.TrimSpace(text) == "" {
		return yaml.NewIssue(CodeEmptyValue, "is empty; want a condition, or no such key: the rule always applies then")
	}
	return nil
}
