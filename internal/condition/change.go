package condition

import (
	"errors"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// changedPath compiles the pattern of a function of changes.
func (l *linter) changedPath(t *ast.Term, text string) {
	if p := l.path(t, text); p != nil {
		l.patterns = append(l.patterns, p)
	}
}

// headPath compiles the pattern of a function of files at head.
func (l *linter) headPath(t *ast.Term, text string) {
	if p := l.path(t, text); p != nil {
		l.paths = append(l.paths, p)
	}
}

// sourcePath compiles the pattern of a function of the exported symbols of changed files.
func (l *linter) sourcePath(t *ast.Term, text string) {
	if p := l.path(t, text); p != nil {
		l.sources = append(l.sources, p)
	}
}

// path compiles a pattern, which in a rule of a directory is relative to it.
func (l *linter) path(t *ast.Term, text string) *pattern.Pattern {
	p, err := pattern.Compile(text)
	if at := pattern.PartAt(text); err == nil && at >= 0 {
		err = &pattern.Error{Code: "key", Offset: at, Message: `"#" begins a part of files; want a path, or "\#" for the character`}
	}
	if err == nil && l.Below != "" {
		if p, err = p.Under(l.Below); err == nil {
			t.Value = ast.String(p.String())
		}
	}
	if err == nil {
		return p
	}
	offset := l.at(t)
	if e, ok := errors.AsType[*pattern.Error](err); ok && offset >= 0 {
		written := strings.TrimPrefix(strings.TrimPrefix(l.Text[offset:], `"`), "`")
		if strings.HasPrefix(written, text) {
			offset += 1 + e.Offset
		}
	}
	l.say(offset, "%s: %s", l.function, err.Error())
	return nil
}

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
