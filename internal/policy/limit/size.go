package limit

import (
	"github.com/open-policy-agent/opa/v1/ast"
)

// written returns about how many bytes a value takes when it is written out, or most+1 if
// they are more than most. Terms may share parts, so a small value may be long.
func written(v ast.Value, most int) int {
	left := most
	spend(v, &left)
	return most - max(left, -1)
}

// spend subtracts the length of a value, and stops where nothing is left.
func spend(v ast.Value, left *int) {
	each := func(terms ...*ast.Term) {
		for _, t := range terms {
			if *left < 0 {
				return
			}
			spend(t.Value, left)
		}
	}
	*left -= 4
	switch v := v.(type) {
	case ast.String:
		*left -= len(v)
	case ast.Number:
		*left -= len(v)
	case *ast.Array:
		for i := 0; i < v.Len() && *left >= 0; i++ {
			each(v.Elem(i))
		}
	case ast.Set:
		each(v.Slice()...)
	case ast.Object:
		for _, key := range v.Keys() {
			each(key, v.Get(key))
		}
	}
}

// textOf returns a text, empty for other values: their builtin reports the type.
func textOf(v ast.Value) string {
	text, _ := v.(ast.String)
	return string(text)
}

// elements returns the terms of a list or a set.
func elements(v ast.Value) []*ast.Term {
	switch v := v.(type) {
	case *ast.Array:
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			terms[i] = v.Elem(i)
		}
		return terms
	case ast.Set:
		return v.Slice()
	default:
		return nil
	}
}

// length returns the number of direct elements of a value.
func length(v ast.Value) int {
	if sized, ok := v.(interface{ Len() int }); ok {
		return sized.Len()
	}
	return 0
}
