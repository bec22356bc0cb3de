package finding

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Problem is one error in a file that the user wrote: a rule, a policy, a
// workflow or the configuration.
//
//nolint:errname // reports list it as a problem; it is an error only in passing
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // in bytes, from 1
	Code    string `json:"code"`   // unknown_field, bad_value, …
	Message string `json:"message"`
	// Of a regular expression in a rule of a workflow that does not compile: the rule, the
	// expression, and what is wrong with it.
	Rule    string `json:"rule_id,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Cause   string `json:"error,omitempty"`
}

// CodeUnreadable marks a file that exists and cannot be read: what it says is unknown,
// and not wrong.
const CodeUnreadable = "unreadable"

// Error formats the problem on one line: file:line:column: message. A problem may concern
// no file.
func (p Problem) Error() string {
	if p.File == "" {
		return p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Excerpt returns the line of the problem from source, the content of its file,
// and below it a caret at the column. It is empty if source has no such line.
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

// SortProblems sorts problems by file, line and column.
func SortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
