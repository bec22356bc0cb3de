package events

import (
	"maps"
	"reflect"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// rows lists the types of rows with the members that each must have.
var rows = []struct {
	name     string
	of       reflect.Type
	required []string
}{
	{typeSession, reflect.TypeFor[Session](), []string{"type", "session", "schema"}},
	{typePrompt, reflect.TypeFor[Prompt](), []string{"type", "session"}},
	{typeCall, reflect.TypeFor[Call](), []string{"type", "session", "name", "status"}},
	{typeTokens, reflect.TypeFor[Tokens](), []string{"type", "session"}},
	{typePhase, reflect.TypeFor[Phase](), []string{"type", "session", "name", "start"}},
	{typeCompaction, reflect.TypeFor[Incident](), []string{"type", "session"}},
	{typeInterrupt, reflect.TypeFor[Incident](), []string{"type", "session"}},
	{typeDiagnostic, reflect.TypeFor[Diagnostic](), []string{"type", "code"}},
}

// values are the values of the types that have few.
var values = map[reflect.Type][]any{
	reflect.TypeFor[fact.Kind]():   {fact.Command, fact.FileEdit, fact.Read, fact.MCP, fact.Other},
	reflect.TypeFor[fact.Status](): {fact.OK, fact.Error, fact.Rejected, fact.Running, fact.Unknown},
}

// JSONSchema returns the JSON Schema (2020-12) of one row.
func JSONSchema() map[string]any {
	var branches []any
	for _, r := range rows {
		properties := map[string]any{}
		addMembers(properties, r.of)
		properties["type"] = map[string]any{"const": r.name}
		if r.name == typeSession {
			properties["schema"] = map[string]any{"const": Schema}
		}
		branches = append(branches, map[string]any{
			"title": "A row of type " + r.name, "type": "object", "properties": properties, "required": r.required,
			"patternProperties": map[string]any{"^x_": true}, "additionalProperties": false,
		})
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "One line of " + Schema, "oneOf": branches,
	}
}

// addMembers adds the schemas of the members of a struct.
func addMembers(properties map[string]any, t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			addMembers(properties, f.Type)
			continue
		}
		properties[name] = schemaOf(f.Type)
	}
}

// schemaOf returns the schema of a value. What may be unknown may be null.
func schemaOf(t reflect.Type) map[string]any {
	if known, ok := values[t]; ok {
		return map[string]any{"enum": known}
	}
	if t == reflect.TypeFor[time.Time]() {
		return map[string]any{"type": "string", "format": "date-time"}
	}
	if t == reflect.TypeFor[money.USD]() {
		return map[string]any{"type": "number"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		schema := maps.Clone(schemaOf(t.Elem()))
		schema["type"] = []any{schema["type"], "null"}
		return schema
	case reflect.Slice:
		return map[string]any{"type": []any{"array", "null"}, "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties := map[string]any{}
		addMembers(properties, t)
		var required []string
		for f := range t.Fields() {
			if name, options, _ := strings.Cut(f.Tag.Get("json"), ","); options == "" {
				required = append(required, name)
			}
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	default:
		return map[string]any{"type": "string"}
	}
}
