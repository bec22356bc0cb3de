package mcp

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

// argument describes an argument of a tool.
type argument struct {
	name     string
	kind     kind
	about    string
	fallback string   // what applies if it is absent; empty: nothing
	enum     []string // accepted values; empty: any value of the kind
	required bool
}

// kind describes the values of an argument.
type kind struct {
	schema map[string]any // JSON Schema
	want   string
	is     func(value any) bool // reports whether a value, decoded from JSON and not null, is valid
	max    int                  // bytes of JSON
	exact  bool                 // numbers in it keep their digits, see [gate.Decode]
}

// Evidence may contain the output of programs; other arguments are short.
const (
	maxObject = 10 << 20
	maxText   = 4 << 10
	maxList   = 64 << 10
)

var (
	text = kind{
		schema: map[string]any{"type": "string"}, want: "text", max: maxText,
		is: func(value any) bool { _, ok := value.(string); return ok },
	}
	path = kind{
		schema: text.schema, want: `a name, or a path from the repository's root with slashes and without ".."`, max: maxText,
		is: func(value any) bool {
			s, ok := value.(string)
			return ok && s != "." && fs.ValidPath(s) && filepath.IsLocal(filepath.FromSlash(s))
		},
	}
	// Many clients send every number as a float.
	nameOrNumber = kind{
		schema: map[string]any{"type": []string{"string", "integer"}}, want: "a name or a whole number", max: maxText,
		is: func(value any) bool {
			n, ok := value.(float64)
			return text.is(value) || ok && n == math.Trunc(n)
		},
	}
	texts = kind{
		schema: map[string]any{"type": "array", "items": text.schema}, want: "a list of texts", max: maxList,
		is: func(value any) bool {
			list, ok := value.([]any)
			return ok && !slices.ContainsFunc(list, func(v any) bool { return !text.is(v) })
		},
	}
	flag = kind{
		schema: map[string]any{"type": "boolean"}, want: "true or false", max: maxText,
		is: func(value any) bool { _, ok := value.(bool); return ok },
	}
	object = kind{
		schema: map[string]any{"type": "object", "additionalProperties": true}, want: "an object", max: maxObject, exact: true,
		is: func(value any) bool { _, ok := value.(map[string]any); return ok },
	}
)

// schemaOf returns the JSON Schema of a tool's arguments.
func schemaOf(arguments []argument) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, a := range arguments {
		of := maps.Clone(a.kind.schema)
		of["description"] = a.described()
		if len(a.enum) > 0 {
			of["enum"] = a.enum
		}
		properties[a.name] = of
		if a.required {
			required = append(required, a.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// decode decodes an argument of the kind.
func (k kind) decode(raw json.RawMessage) (value any, err error) {
	if k.exact {
		return gate.Decode(raw)
	}
	err = json.Unmarshal(raw, &value)
	return value, err
}

// described returns the description with what applies if the argument is absent.
func (a argument) described() string {
	if a.fallback == "" {
		return a.about
	}
	return a.about + "; by default " + a.fallback
}

// given holds the arguments of a call by name, decoded from JSON, without nulls.
type given map[string]any

func (g given) text(name string) string {
	s, _ := g[name].(string)
	return s
}

// flag returns an argument, or fallback if it is absent.
func (g given) flag(name string, fallback bool) bool {
	if b, ok := g[name].(bool); ok {
		return b
	}
	return fallback
}

// object returns an argument, or an empty map if it is absent.
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
