package yaml

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// The codes of files that are no YAML.
const (
	CodeUnreadable   = "unreadable"
	CodeNotUTF8      = "not_utf8"
	CodeSyntax       = "yaml_syntax"
	CodeDuplicateKey = "duplicate_key"
	CodeNotAMapping  = "not_a_mapping"
)

// Place is a position in a file: a line and a byte of it, both from 1.
type Place struct{ Line, Column int }

// Top is the place of what concerns a file as a whole.
var Top = Place{1, 1}

// Flaw is what is wrong with one value. Its offset is the offending byte of the
// value's text; below 0 the value as a whole is meant.
type Flaw struct {
	Code    string
	Offset  int
	Message string
}

// Flawed says what is wrong with a value as a whole.
func Flawed(code, format string, args ...any) *Flaw {
	return &Flaw{Code: code, Offset: -1, Message: fmt.Sprintf(format, args...)}
}

// Log gathers the problems of one file.
type Log struct {
	File string
	List []finding.Problem
}

// Add reports a problem at a place; the rest is as in [fmt.Sprintf].
func (l *Log) Add(at Place, code, format string, args ...any) {
	l.List = append(l.List, finding.Problem{
		File: l.File, Line: at.Line, Column: at.Column,
		Code: code, Message: fmt.Sprintf(format, args...),
	})
}
