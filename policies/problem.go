package policies

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Problem is one thing wrong with a policy.
//
//nolint:errname // the word for it everywhere, an error or not
type Problem struct {
	File         string
	Line, Column int // from 1; the column in bytes
	Message      string
	// Word is what was written and Wanted what may stand there, where that is a
	// list of words: the suggestion is made from them.
	Word   string
	Wanted []string
}

// Error is the problem on one line: file:line:column: message; want one of ….
func (p Problem) Error() string {
	text := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	if len(p.Wanted) > 0 {
		text += "; want one of " + quoted(p.Wanted)
	}
	return text
}

// joined makes one error of problems, in reading order; nil where there are none.
func joined(problems []Problem) error {
	sortProblems(problems)
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// wordError is a word that is none of those wanted.
type wordError struct {
	what   string // "unknown fact"
	word   string
	wanted []string
}

func (e *wordError) Error() string {
	if e.word == "" {
		return e.what
	}
	return fmt.Sprintf("%s %q", e.what, e.word)
}

// at is what is wrong at a place of a policy.
func at(l *ast.Location, err error) Problem {
	p := Problem{File: l.File, Line: l.Row, Column: max(l.Col, 1), Message: err.Error()}
	if e, ok := errors.AsType[*wordError](err); ok {
		p.Word, p.Wanted = e.word, e.wanted
	}
	return p
}

// inMetadata is what is wrong with METADATA: at word, if it is there to be
// found, else where the METADATA begins.
func inMetadata(declared *ast.Annotations, word string, err error) Problem {
	p := at(declared.Location, err)
	for i, line := range bytes.Split(declared.Location.Text, []byte("\n")) {
		if column := bytes.Index(line, []byte(word)); word != "" && column >= 0 {
			p.Line, p.Column = p.Line+i, column+1
			break
		}
	}
	return p
}

// wordOf is the word that an error is about, where it is about one.
func wordOf(err error) string {
	if e, ok := errors.AsType[*wordError](err); ok {
		return e.word
	}
	return ""
}

// parseProblems are what the parser says of a file: of a place the last word,
// which is the most exact.
func parseProblems(file string, err error) []Problem {
	list, ok := errors.AsType[ast.Errors](err)
	if single, is := errors.AsType[*ast.Error](err); !ok && is {
		list = ast.Errors{single}
	}
	var problems []Problem
	for i, e := range list {
		p := Problem{File: file, Line: 1, Column: 1, Message: e.Message}
		if e.Location != nil {
			p.Line, p.Column = max(e.Location.Row, 1), max(e.Location.Col, 1)
		}
		if i > 0 && problems[len(problems)-1].Line == p.Line && problems[len(problems)-1].Column == p.Column {
			problems = problems[:len(problems)-1]
		}
		problems = append(problems, p)
	}
	return problems
}
