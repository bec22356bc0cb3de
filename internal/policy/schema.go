package policy

import (
	"reflect"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/policies"
)

// safety is the parameter that every change mode has without declaring it.
const safety = "safety"

// Schema is the JSON Schema of what policies see, made from the types and JSON
// tags of [Input]. Nothing may be said beside it, so that a misspelt field in a
// policy is an error; only a rule's own parameters are open. input.matches has
// one property for each parameter of modes that holds patterns, and safety.
func Schema(modes map[string]policies.Mode) map[string]any {
	schema := schemaOf(reflect.TypeFor[Input]())
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["title"] = "What a policy sees of one rule"

	list := schemaOf(reflect.TypeFor[[]correspondence.Match]())
	matches := map[string]any{safety: list}
	for _, mode := range modes {
		if !slices.Contains(mode.Facts, policies.FactMatches) {
			continue
		}
		for _, p := range mode.Params {
			if p.Type == policies.Pattern || p.Type == policies.Patterns {
				matches[p.Name] = list
			}
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	properties["matches"] = object(matches, nil)
	return schema
}

// schemaOf follows encoding/json: its tags, and omitempty as "may be absent".
func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Struct:
		properties := map[string]any{}
		required := []any{}
		for field := range t.Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			properties[name] = schemaOf(field.Type)
			if options != "omitempty" {
				required = append(required, name)
			}
		}
		return object(properties, required)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	default: // any
		return map[string]any{}
	}
}

func object(properties map[string]any, required []any) map[string]any {
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
