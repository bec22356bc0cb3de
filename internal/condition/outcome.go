package condition

import (
	"github.com/open-policy-agent/opa/v1/ast"
)

// The facts about the outcome of a call. Both are false where the agent does not pass it.
const (
	factSucceeded = "succeeded"
	factFailed    = "failed"
)

// isFailed reports whether a term is the fact that a call failed.
func (l *linter) isFailed(t *ast.Term, s scope) bool {
	return t.Value.Compare(ast.Var(factFailed)) == 0 && l.isFact(t.Value) && s.has(factSucceeded)
}

// notFailed reports a negation that is also true of a call whose outcome is unknown.
func (l *linter) notFailed(not *ast.Not, s scope) {
	if len(not.Body) != 1 {
		return
	}
	if t, ok := not.Body[0].Terms.(*ast.Term); ok && l.isFailed(t, s) {
		l.unknownSucceeds(l.at(t), "not "+factFailed)
	}
}

// comparesFailed reports a comparison that means the same.
func (l *linter) comparesFailed(operator string, left, right *ast.Term, s scope) {
	value, ok := right.Value.(ast.Boolean)
	if ok && l.isFailed(left, s) && (operator == "neq") == bool(value) {
		l.unknownSucceeds(l.at(left), l.textOf(left)+" "+comparisons[operator]+" "+l.textOf(right))
	}
}

func (l *linter) unknownSucceeds(offset int, text string) {
	l.say(offset, "%s is also true of a call whose outcome is unknown; want %s", text, factSucceeded)
}
