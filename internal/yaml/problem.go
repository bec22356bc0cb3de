package yaml

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Codes of problems with a file as YAML.
const (
	CodeUnreadable   = finding.CodeUnreadable
	CodeNotUTF8      = "not_utf8"
	CodeSyntax       = "yaml_syntax"
	CodeDuplicateKey = "duplicate_key"
	CodeNotAMapping  = "not_a_mapping"
)

// Place is a position in a file: a line and a column in bytes, both from 1.
type Place struct{ Line, Column int }

// Top is the place of problems with a whole file.
var Top = Place{1, 1}

// Issue is an error in one value.
type Issue struct {
	Code    string
	Offset  int // of the offending byte in the value's text; negative: the whole value
	Message string
}

// NewIssue returns an issue with a whole value.
func NewIssue(code, format string, args ...any) *Issue {
	return &Issue{Code: code, Offset: -1, Message: fmt.Sprintf(format, args...)}
}

// Log collects the problems of one file.
type Log struct {
	File string
	List []finding.Problem
}

// maxProblems is how many problems of one file are listed.
const maxProblems = 200

func (l *Log) full() bool { return len(l.List) > maxProblems }

// Add adds a problem at a place, with a message formatted as by [fmt.Sprintf]. Those after
// the first 200 of a file are left out, and the last one reports that.
func (l *Log) Add(at Place, code, format string, args ...any) {
	switch {
	case l.full():
		return
	case len(l.List) == maxProblems:
		format, args = "too many problems; fix those above, and the others will be reported", nil
	}
	l.List = append(l.List, finding.Problem{
		File: l.File, Line: at.Line, Column: at.Column,
		Code: code, Message: fmt.Sprintf(format, args...),
	})
}

// maxShown is the number of characters of a line that messages quote.
const maxShown = 40

// Shorten returns a line for use in a message, cut after maxShown characters.
func Shorten(line string) string {
	if runes := []rune(line); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return line
}
