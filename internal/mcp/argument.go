package mcp

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
)

// argument is what a tool may be given.
type argument struct {
	name  string
	kind  kind
	about string
	enum  []string // what it may be; empty: anything of the kind
	must  bool     // it has to be there
}

// kind is what an argument may be.
type kind struct {
	schema map[string]any // JSON Schema
	want   string
	is     func(value any) bool // of a value that is decoded from JSON, and not null
	most   int                  // bytes of JSON
}

// Evidence may hold what programs print; anything else is written by hand.
const (
	maxObject = 10 << 20
	maxText   = 4 << 10
	maxList   = 64 << 10
)

var (
	text = kind{
		schema: map[string]any{"type": "string"}, want: "text", most: maxText,
		is: func(value any) bool { _, ok := value.(string); return ok },
	}
	path = kind{
		schema: text.schema, want: `a name, or a path from the repository's root with slashes and without ".."`, most: maxText,
		is: func(value any) bool {
			s, ok := value.(string)
			return ok && s != "." && fs.ValidPath(s) && filepath.IsLocal(filepath.FromSlash(s))
		},
	}
	// Many clients send every number as one with a fraction.
	nameOrNumber = kind{
		schema: map[string]any{"type": []string{"string", "integer"}}, want: "a name or a whole number", most: maxText,
		is: func(value any) bool {
			n, ok := value.(float64)
			return text.is(value) || ok && n == math.Trunc(n)
		},
	}
	texts = kind{
		schema: map[string]any{"type": "array", "items": text.schema}, want: "a list of texts", most: maxList,
		is: func(value any) bool {
			list, ok := value.([]any)
			return ok && !slices.ContainsFunc(list, func(v any) bool { return !text.is(v) })
		},
	}
	flag = kind{
		schema: map[string]any{"type": "boolean"}, want: "true or false", most: maxText,
		is: func(value any) bool { _, ok := value.(bool); return ok },
	}
	object = kind{
		schema: map[string]any{"type": "object", "additionalProperties": true}, want: "an object", most: maxObject,
		is: func(value any) bool { _, ok := value.(map[string]any); return ok },
	}
)

// schemaOf is the JSON Schema of a tool's arguments.
func schemaOf(arguments []argument) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, a := range arguments {
		of := maps.Clone(a.kind.schema)
		of["description"] = a.about
		if len(a.enum) > 0 {
			of["enum"] = a.enum
		}
		properties[a.name] = of
		if a.must {
			required = append(required, a.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// given are the arguments of a call by name, decoded from JSON. Those that are
// null are not among them.
type given map[string]any

func (g given) text(name string) string {
	s, _ := g[name].(string)
	return s
}

// flag is otherwise where the argument is not there.
func (g given) flag(name string, otherwise bool) bool {
	if b, ok := g[name].(bool); ok {
		return b
	}
	return otherwise
}

// object is never nil.
func (g given) object(name string) map[string]any {
	if o, ok := g[name].(map[string]any); ok {
		return o
	}
	return map[string]any{}
}

func (g given) texts(name string) []string {
	list, _ := g[name].([]any)
	words := make([]string, 0, len(list))
	for _, word := range list {
		words = append(words, fmt.Sprint(word))
	}
	return words
}
