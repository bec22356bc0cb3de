package rule

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is one thing wrong with a rule file or the configuration.
//
//nolint:errname // the word for it everywhere, an error or not
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // in bytes, from 1
	Code    string `json:"code"`   // unknown_field, bad_value, …
	Message string `json:"message"`
}

// Every code a problem may have.
const (
	codeUnreadable          = "unreadable"
	codeBadID               = "bad_id"
	codeNotUTF8             = "not_utf8"
	codeNoFrontmatter       = "no_frontmatter"
	codeUnclosedFrontmatter = "unclosed_frontmatter"
	codeYAMLSyntax          = "yaml_syntax"
	codeDuplicateKey        = "duplicate_key"
	codeNotAMapping         = "not_a_mapping"
	codeMissingMode         = "missing_mode"
	codeMultipleModes       = "multiple_modes"
	codeMissingField        = "missing_field"
	codeUnknownField        = "unknown_field"
	codeWrongType           = "wrong_type"
	codeBadValue            = "bad_value"
	codeEmptyValue          = "empty_value"
	codeTooFew              = "too_few"
	codeInvalidPattern      = "invalid_pattern"
	codeBadCommand          = "bad_command"
	codeBadPlaceholder      = "bad_placeholder"
	codeEmptyBody           = "empty_body"
	codeBadExample          = "bad_example"
	codeDuplicateName       = "duplicate_name"
	codeUnknownRule         = "unknown_rule"
	codeUnknownImport       = "unknown_import"
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

// sortProblems brings problems into reading order.
func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// place is a position in a file: a line and a byte of it, both from 1.
type place struct{ line, column int }

// top is the place of what concerns a file as a whole.
var top = place{1, 1}

// flaw is what is wrong with one value. Its offset is the offending byte of the
// value's text; below 0 the value as a whole is meant.
type flaw struct {
	code    string
	offset  int
	message string
}

// flawed says what is wrong with a value as a whole.
func flawed(code, format string, args ...any) *flaw {
	return &flaw{code: code, offset: -1, message: fmt.Sprintf(format, args...)}
}

// log gathers the problems of one file.
type log struct {
	file string
	list []Problem
}

func (l *log) add(at place, code, format string, args ...any) {
	l.list = append(l.list, Problem{
		File: l.file, Line: at.line, Column: at.column,
		Code: code, Message: fmt.Sprintf(format, args...),
	})
}
