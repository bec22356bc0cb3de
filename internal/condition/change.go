package condition

import (
	"errors"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// change compiles the pattern of change.any and the other functions of changes.
func (l *linter) change(terms []*ast.Term) {
	function := terms[0].String()
	var text ast.String
	constant := false
	if len(terms) == 2 {
		text, constant = terms[1].Value.(ast.String)
	}
	if !constant {
		l.say(l.at(terms[0]), "%s needs one path pattern as a constant string, such as %s(\"src/**\")", function, function)
		return
	}
	p, err := pattern.Compile(string(text))
	if at := pattern.KeyAt(string(text)); err == nil && at >= 0 {
		err = &pattern.Error{Code: "key", Offset: at, Message: `"#" begins a key; want a path, or "\#" for the character`}
	}
	if err == nil && l.Below != "" {
		if p, err = p.Under(l.Below); err == nil {
			terms[1].Value = ast.String(p.String())
		}
	}
	if err == nil {
		l.patterns = append(l.patterns, p)
		return
	}
	offset := l.at(terms[1])
	if e, ok := errors.AsType[*pattern.Error](err); ok && offset >= 0 {
		written := strings.TrimPrefix(strings.TrimPrefix(l.Text[offset:], `"`), "`")
		if strings.HasPrefix(written, string(text)) {
			offset += 1 + e.Offset
		}
	}
	l.say(offset, "%s: %s", function, err.Error())
}

// Facts for the generated Rego, which conditions cannot name.
const (
	nameChange = "change" // by pattern: the status of each change that matches
	nameAsked  = "conditions"
)

const changeCount = "change.count"

// changeFunctions are the functions that take a pattern.
var changeFunctions = []string{"change.added", "change.any", changeCount, "change.deleted"}

func isChange(function string) bool { return slices.Contains(changeFunctions, function) }

// matching returns, by pattern, the statuses of the changes with a name that matches.
func (c *Set) matching(changes []diff.Change) *ast.Term {
	found := make([][]*ast.Term, len(c.patterns))
	last := make([]int, len(c.patterns)) // 1 + the change that matched last
	for i, change := range changes {
		for _, name := range change.Names() {
			c.index.Match(name, func(p int, _ pattern.Captures) {
				if last[p] == i+1 {
					return
				}
				last[p] = i + 1
				found[p] = append(found[p], ast.InternedTerm(string(change.Status)))
			})
		}
	}
	fields := make([][2]*ast.Term, 0, len(c.patterns))
	for p, statuses := range found {
		fields = append(fields, ast.Item(ast.StringTerm(c.patterns[p].String()), ast.ArrayTerm(statuses...)))
	}
	return ast.ObjectTerm(fields...)
}
