package condition

import (
	"maps"

	"github.com/open-policy-agent/opa/v1/ast"
)

// term checks a term and everything in it.
func (l *linter) term(t *ast.Term, s scope) {
	switch v := t.Value.(type) {
	case ast.Var:
		l.reads(t, s)
	case ast.Ref:
		for _, key := range v[1:] {
			l.term(key, s)
		}
		if _, ok := v[0].Value.(ast.Var); !ok {
			l.term(v[0], s)
		}
		if f, ok := functionNamed(v.String()); ok && l.words.change && !l.shadowed(t, s) {
			l.say(l.at(t), "%s is a function; want it called, such as %s", f.name, f.example)
			return
		}
		l.reads(t, s)
		l.guardRef(t, v)
	case ast.Call:
		l.operands(v, s)
	case *ast.Array:
		v.Foreach(func(e *ast.Term) { l.term(e, s) })
	case ast.Set:
		v.Foreach(func(e *ast.Term) { l.term(e, s) })
	case ast.Object:
		v.Foreach(func(key, value *ast.Term) { l.term(key, s); l.term(value, s) })
	case *ast.ArrayComprehension:
		l.comprehension(v.Body, s, v.Term)
	case *ast.SetComprehension:
		l.comprehension(v.Body, s, v.Term)
	case *ast.ObjectComprehension:
		l.comprehension(v.Body, s, v.Key, v.Value)
	case *ast.TemplateString:
		for _, part := range v.Parts {
			if e, ok := part.(*ast.Expr); ok {
				l.operandsOf(e, s)
			}
		}
	}
}

// operandsOf checks an expression whose value is used, not its truth.
func (l *linter) operandsOf(e *ast.Expr, s scope) {
	switch terms := e.Terms.(type) {
	case *ast.Term:
		l.term(terms, s)
	case []*ast.Term:
		l.operands(terms, s)
	}
}

// comprehension checks a body and the terms made of its variables.
func (l *linter) comprehension(body ast.Body, s scope, heads ...*ast.Term) {
	s = maps.Clone(s)
	for _, e := range body {
		l.expr(e, true, s)
	}
	for _, head := range heads {
		l.term(head, s)
	}
}
