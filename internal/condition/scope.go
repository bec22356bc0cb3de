package condition

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// scope holds the shapes of variables.
type scope map[ast.Var]shape

func (s scope) has(name ast.Var) bool {
	_, ok := s[name]
	return ok
}

// of returns the shape of a term.
func (s scope) of(t *ast.Term) shape {
	switch v := t.Value.(type) {
	case ast.Boolean:
		return shape{kind: aBoolean}
	case ast.Number:
		return shape{kind: aNumber}
	case ast.String, *ast.TemplateString:
		return shape{kind: aString}
	case ast.Null:
		return shape{kind: aNullKind}
	case *ast.Array, *ast.ArrayComprehension:
		return shape{kind: anArray}
	case ast.Set, *ast.SetComprehension:
		return shape{kind: aSet}
	case ast.Object, *ast.ObjectComprehension:
		return shape{kind: anObject}
	case ast.Var:
		return s[v]
	case ast.Ref:
		return s.ref(v)
	case ast.Call:
		return s.call(v)
	default:
		return shape{}
	}
}

// ref returns the shape of a reference to facts; the zero shape for any other.
func (s scope) ref(ref ast.Ref) shape {
	head, ok := ref[0].Value.(ast.Var)
	if !ok {
		return shape{}
	}
	start, ok := s[head]
	if !ok {
		return shape{}
	}
	end, ok := start.follow(ref[1:])
	if !ok {
		return shape{optional: true}
	}
	return end
}

// call returns the shape of a function's result.
func (s scope) call(terms []*ast.Term) shape {
	if terms[0].String() != "object.get" || len(terms) != 4 {
		return resultOf(terms[0])
	}
	found, ok := s.of(terms[1]).element(terms[2].Value)
	if otherwise := s.of(terms[3]); ok && otherwise.kind == found.kind {
		return otherwise
	}
	return shape{}
}

// resultOf returns the shape of a function's result for any operands.
func resultOf(operator *ast.Term) shape {
	name := operator.String()
	if f, ok := functionNamed(name); ok {
		return shape{kind: f.answers}
	}
	builtin, ok := ast.BuiltinMap[name]
	if !ok {
		return shape{}
	}
	switch builtin.Decl.Result().(type) {
	case types.Boolean:
		return shape{kind: aBoolean}
	case types.Number:
		return shape{kind: aNumber}
	case types.String:
		return shape{kind: aString}
	case *types.Array:
		return shape{kind: anArray}
	case *types.Set:
		return shape{kind: aSet}
	case *types.Object:
		return shape{kind: anObject}
	default:
		return shape{}
	}
}
