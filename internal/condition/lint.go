package condition

import (
	"fmt"
	"maps"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// linter checks for expressions that OPA compiles but that are mistakes.
type linter struct {
	*condition

	words    *words
	problems []finding.Problem
	bound    map[ast.Var]bool   // variables of the condition's own
	guards   guards             // what is replaced to check the types of values
	function string             // whose arguments are checked
	paths    []*pattern.Pattern // of functions of files
	varies   bool               // something so far comes from the facts; of an expression alone, while it is looked at
}

// say adds a problem at an offset of the text.
func (l *linter) say(offset int, format string, args ...any) {
	l.problems = append(l.problems, l.Problem(offset, fmt.Sprintf(format, args...)))
}

func (l *linter) at(x ast.Node) int {
	if at := x.Loc(); at != nil {
		return at.Offset
	}
	return -1
}

// whole checks the condition.
func (l *linter) whole() {
	l.look(l.body, l.braced, l.words.facts)
	l.mentioned()
	if l.braced && !l.varies && len(l.problems) == 0 {
		l.constant(l.body[0])
	}
}

// mentioned collects what the condition reads.
func (l *linter) mentioned() {
	ast.WalkVars(l.body, func(v ast.Var) bool {
		switch {
		case l.isFact(v):
			l.names[string(v)] = true
		case v == "lib" || v == "data":
			l.library = true
		}
		return false
	})
	if l.names[FactGit] {
		l.readsGit()
	}
	l.session = sessionFields(l.body)
}

// look checks expressions that must all hold. Inside braces and brackets they may bind
// variables.
func (l *linter) look(body ast.Body, inside bool, s scope) {
	s = maps.Clone(s)
	for _, e := range body {
		l.expr(e, inside, s)
	}
}

func (l *linter) expr(e *ast.Expr, inside bool, s scope) {
	for _, with := range e.With {
		l.say(l.at(with), `"with" replaces facts; want the condition without it`)
	}
	switch terms := e.Terms.(type) {
	case *ast.LogicalAnd:
		l.look(terms.Lhs, inside || terms.ExplicitLhs, s)
		l.look(terms.Rhs, inside || terms.ExplicitRhs, s)
	case *ast.LogicalOr:
		l.look(terms.Lhs, inside || terms.ExplicitLhs, s)
		l.look(terms.Rhs, inside || terms.ExplicitRhs, s)
	case *ast.Not:
		l.look(terms.Body, inside || terms.ExplicitBody, s)
		l.notFailed(terms, s)
	case *ast.SomeDecl:
		l.some(terms, inside, s)
	case *ast.Every:
		l.every(terms, s)
	case *ast.Term:
		l.leaf(e, inside, func() { l.boolean(terms, s) })
	case []*ast.Term:
		l.leaf(e, inside, func() { l.call(e, terms, inside, s) })
	}
}

// leaf checks an expression that is not made of others. Outside braces it must depend on
// the input.
func (l *linter) leaf(e *ast.Expr, inside bool, check func()) {
	before, varied := len(l.problems), l.varies
	l.varies = false
	check()
	if !inside && !l.varies && len(l.problems) == before && l.variable == "" {
		l.constant(e)
	}
	l.varies = l.varies || varied
}

// constant rejects an expression that reads no fact. The compiler reports unknown names.
func (l *linter) constant(e *ast.Expr) {
	unknown := false
	ast.WalkVars(e, func(v ast.Var) bool {
		unknown = unknown || !l.words.builtins[v] && !l.bound[v] && !v.IsGenerated() && !v.IsWildcard()
		return unknown
	})
	if !unknown {
		l.say(offsetOf(e), "%s is constant; want something that depends on %s", l.exprText(e), quotedList(l.words.names))
	}
}
