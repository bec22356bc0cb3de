package condition

import (
	"github.com/open-policy-agent/opa/v1/ast"
)

// boolean checks a term whose truth is used. To OPA everything but false is true, even 0,
// "" and [].
func (l *linter) boolean(t *ast.Term, s scope) {
	l.term(t, s)
	switch t.Value.(type) {
	case ast.Var, ast.Ref, ast.Call:
	case ast.Boolean:
		return
	case ast.Set:
		l.say(l.at(t), "%s is a set, not boolean; want it without the braces", l.textOf(t))
		return
	default:
		l.say(l.at(t), "%s is %s, not boolean; want a comparison", l.textOf(t), withArticle(s.of(t).kind))
		return
	}
	if ref, ok := t.Value.(ast.Ref); ok && !l.isFact(ref[0].Value) && s.ref(ref).kind == anything {
		return
	}
	if v, ok := t.Value.(ast.Var); ok && !l.isFact(v) && s[v].kind == anything {
		return
	}
	text := l.textOf(t)
	switch is := s.of(t); is.kind {
	case aBoolean:
	case aNumber:
		l.say(l.at(t), "%s is a number, not boolean; want a comparison, such as %s > 0", text, text)
	case aString, anArray, anObject, aSet:
		l.say(l.at(t), "%s is %s, not boolean; want a comparison, such as count(%s) > 0", text, withArticle(is.kind), text)
	case anything:
		if _, ok := t.Value.(ast.Call); !ok && s.known(t) {
			l.say(l.at(t), "%s may be anything, not boolean alone; want a comparison, such as %s == true", text, text)
		}
	}
}

// known reports whether the schema has what a reference names; if not, the compiler
// reports a better error.
func (s scope) known(t *ast.Term) bool {
	ref, ok := t.Value.(ast.Ref)
	if !ok {
		return true
	}
	head, ok := ref[0].Value.(ast.Var)
	if !ok {
		return false
	}
	_, ok = s[head].follow(ref[1:])
	return ok
}
