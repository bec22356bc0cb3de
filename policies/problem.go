package policies

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// codeBadPolicy is the code of every problem of a policy.
const codeBadPolicy = "bad_policy"

// joined makes one error of problems, in reading order; nil where there are none.
func joined(problems []finding.Problem) error {
	finding.SortProblems(problems)
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// wordError reports a word that is not in a list of known ones.
type wordError struct {
	what   string // "unknown fact"
	word   string
	wanted []string
}

func (e *wordError) Error() string {
	text := e.what
	if e.word != "" {
		text += " " + strconv.Quote(e.word)
	}
	return text + suggest.OneOf(e.word, e.wanted)
}

// at returns an error as a problem at a position of a policy.
func at(l *ast.Location, err error) finding.Problem {
	return finding.Problem{File: l.File, Line: l.Row, Column: max(l.Col, 1), Code: codeBadPolicy, Message: err.Error()}
}

// inMetadata returns an error as a problem of METADATA: at word if METADATA contains it,
// else at its beginning.
func inMetadata(declared *ast.Annotations, word string, err error) finding.Problem {
	p := at(declared.Location, err)
	for i, line := range bytes.Split(declared.Location.Text, []byte("\n")) {
		if column := bytes.Index(line, []byte(word)); word != "" && column >= 0 {
			p.Line, p.Column = p.Line+i, column+1
			break
		}
	}
	return p
}

// wordOf returns the word that an error is about; empty if it is about none.
func wordOf(err error) string {
	if e, ok := errors.AsType[*wordError](err); ok {
		return e.word
	}
	return ""
}

// parseProblems converts the parser's errors. Of several at one position it takes the
// last, which is the most precise.
func parseProblems(file string, err error) []finding.Problem {
	list, ok := errors.AsType[ast.Errors](err)
	if single, is := errors.AsType[*ast.Error](err); !ok && is {
		list = ast.Errors{single}
	}
	var problems []finding.Problem
	for i, e := range list {
		p := finding.Problem{File: file, Line: 1, Column: 1, Code: codeBadPolicy, Message: e.Message}
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
