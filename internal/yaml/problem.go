package yaml

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is one thing wrong with a file.
//
//nolint:errname // the word for it everywhere, an error or not
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // in bytes, from 1
	Code    string `json:"code"`   // unknown_field, bad_value, …
	Message string `json:"message"`
}

// The codes of files that are no YAML.
const (
	CodeUnreadable   = "unreadable"
	CodeNotUTF8      = "not_utf8"
	CodeSyntax       = "yaml_syntax"
	CodeDuplicateKey = "duplicate_key"
	CodeNotAMapping  = "not_a_mapping"
)

// Error is the problem on one line: file:line:column: message.
func (p Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Excerpt shows where in source, the file's content, the problem lies: its line,
// and below it a caret. It is empty where source has no such line.
func (p Problem) Excerpt(source []byte) string {
	lines := bytes.Split(source, []byte("\n"))
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	line := strings.TrimSuffix(string(lines[p.Line-1]), "\r")
	before := line[:max(0, min(p.Column-1, len(line)))]
	var pad strings.Builder
	for _, r := range before {
		if r == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	return strings.ToValidUTF8(line, string(utf8.RuneError)) + "\n" + pad.String() + "^\n"
}

// Sort brings problems into reading order.
func Sort(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

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
	List []Problem
}

// Add reports a problem at a place; the rest is as in [fmt.Sprintf].
func (l *Log) Add(at Place, code, format string, args ...any) {
	l.List = append(l.List, Problem{
		File: l.File, Line: at.Line, Column: at.Column,
		Code: code, Message: fmt.Sprintf(format, args...),
	})
}
