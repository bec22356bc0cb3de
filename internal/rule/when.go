package rule

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Condition is the text of a condition and its place in a YAML file: of a rule's
// when or unless, a transition or a gate.
type Condition struct {
	Text   string
	Unless bool // what depends on it applies if it is not true
	File   string
	Below  string       // the directory that paths in it are relative to; empty: the root
	at     yaml.Place   // of the value
	places []yaml.Place // of each byte of Text; ends before the first that the file does not have verbatim
}

// String returns the condition on one line, after the key that it has in a rule.
func (c *Condition) String() string {
	key := "when: "
	if c.Unless {
		key = "unless: "
	}
	return key + strings.Join(strings.Fields(c.Text), " ")
}

// CodeBadCondition is the code of every problem with a condition.
const CodeBadCondition = "bad_condition"

// Problem returns a problem at an offset in the condition's text, which may be its
// length. If the file does not have that byte verbatim, for example after an
// escape, the problem is at the start of the value; so it is if offset is negative.
func (c *Condition) Problem(offset int, message string) finding.Problem {
	at := c.at
	switch {
	case offset < 0:
	case offset < len(c.places):
		at = c.places[offset]
	case len(c.places) > 0 && len(c.places) == len(c.Text):
		at = c.places[len(c.places)-1]
		at.Column++
	}
	return finding.Problem{File: c.File, Line: at.Line, Column: at.Column, Code: CodeBadCondition, Message: message}
}

// newCondition returns the condition in a scalar of a YAML document. source is the
// document, which begins on line first of its file.
func newCondition(file string, n *yaml.Node, source string, first int) *Condition {
	c := &Condition{Text: n.Text, File: file, at: n.At}
	lines := strings.Split(source, "\n")
	row := n.At.Line - first
	if row < 0 || row >= len(lines) {
		return c
	}
	c.places = align(n.Text, lines[row:], n.At)
	return c
}

// align returns the places of the bytes of a scalar's text in lines, whose first
// is the one it begins on. YAML may fold and indent a text, but keeps the order of
// everything that is not blank, except for escapes.
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

// scalarReader reads a scalar as written in its file.
type scalarReader struct {
	lines []string
	at    yaml.Place // line from 0
	first int        // line of the file of lines[0]
	quote byte       // ' or ", or 0
}

func (s *scalarReader) line() string { return s.lines[s.at.Line] }

func (s *scalarReader) place() yaml.Place {
	return yaml.Place{Line: s.first + s.at.Line, Column: s.at.Column}
}

// open moves to the first byte of the content: after a quote, or below the header
// of a literal or folded text.
func (s *scalarReader) open() {
	switch c := (s.line() + "\n")[s.at.Column-1]; c {
	case '\'', '"':
		s.quote = c
		s.at.Column++
	case '|', '>':
		s.at.Column = len(s.line()) + 1
	}
}

// find moves to the next byte that is not blank and reports whether it is c.
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

// escapes reports whether rest begins with a two-byte escape of c.
func (s *scalarReader) escapes(rest string, c byte) bool {
	if len(rest) < 2 || rest[1] != c {
		return false
	}
	return s.quote == '\'' && rest[:2] == "''" || s.quote == '"' && rest[0] == '\\' && strings.IndexByte(`"\/`, c) >= 0
}

// foldsHere reports whether rest is a backslash at the end of a line, which is not
// part of a text in double quotes.
func (s *scalarReader) foldsHere(rest string) bool { return s.quote == '"' && rest == `\` }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// CheckCondition reports a blank condition. Everything else is checked when the
// condition is compiled.
func CheckCondition(text string) *yaml.Issue {
	if strings.TrimSpace(text) == "" {
		return yaml.NewIssue(CodeEmptyValue, "is empty; want a condition, or remove the key")
	}
	return nil
}
