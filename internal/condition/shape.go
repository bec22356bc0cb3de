package condition

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// shape is the static type of a value.
type shape struct {
	kind     string         // one of those below
	schema   map[string]any // of an object or array: what is in it
	optional bool           // it may be absent
}

// The kinds of values, as messages name them.
const (
	anything  = "" // or not known
	aBoolean  = "boolean"
	aNumber   = "number"
	aString   = "string"
	anArray   = "array"
	anObject  = "object"
	aSet      = "set"
	aNullKind = "null"
)

// shapeOf reads a JSON Schema, as far as shapes go.
func shapeOf(schema map[string]any) shape {
	kind, _ := schema["type"].(string)
	if kind == "integer" {
		kind = aNumber
	}
	return shape{kind: kind, schema: schema}
}

// follow goes into a value as the rest of a reference does. It is not ok where
// the schema has no such thing.
func (s shape) follow(path ast.Ref) (shape, bool) {
	for _, key := range path {
		inside, ok := s.element(key.Value)
		if !ok {
			return shape{}, false
		}
		s = inside
	}
	return s, true
}

// element returns the shape of the value with a key. A key that is not constant stands for
// every key.
func (s shape) element(key ast.Value) (shape, bool) {
	name, constant := key.(ast.String)
	_, index := key.(ast.Number)
	next := shape{optional: constant || index}
	switch s.kind {
	case anObject:
		if field, ok := s.field(string(name)); constant && ok {
			next, required := shapeOf(field), s.requires(string(name))
			next.optional = s.optional || !required
			return next, true
		}
		rest, given := s.schema["additionalProperties"]
		if inside, ok := rest.(map[string]any); ok {
			next.kind, next.schema = shapeOf(inside).kind, inside
			return next, true
		}
		return next, !constant || !given || rest == true
	case anArray:
		if inside, ok := s.schema["items"].(map[string]any); ok {
			next.kind, next.schema = shapeOf(inside).kind, inside
		}
		return next, !constant
	case aSet:
		next.optional = true
		return next, true
	default:
		next.optional = true
		return next, s.kind == anything
	}
}

// any is an element of a value, whichever.
func (s shape) any() shape {
	e, _ := s.element(ast.Var("_"))
	return e
}

func (s shape) field(name string) (map[string]any, bool) {
	field, ok := s.fields()[name].(map[string]any)
	return field, ok
}

func (s shape) requires(name string) bool {
	required, _ := s.schema["required"].([]any)
	return slices.Contains(required, any(name))
}
