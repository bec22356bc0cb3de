package policy

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Schema returns the JSON Schema of [Input] with all facts. It allows no other properties,
// so that a misspelt field in a policy is an error; only the parameters of the rule are
// open. input.matches has a property for each parameter of modes that holds patterns, and
// safety.
func Schema(modes policies.Modes) map[string]any {
	var params []policies.Param
	for _, name := range modes.Names() {
		mode := modes.Of(name)
		if slices.Contains(mode.Facts, policies.FactMatches) {
			params = append(params, mode.Params...)
		}
	}
	schema := schemaWith(policies.Facts(), params)
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["title"] = "What a policy sees of one rule"
	return schema
}

// modeSchema returns the schema for one mode: the facts that it declares and its own
// parameters.
func modeSchema(mode policies.Mode) map[string]any {
	schema := schemaWith(mode.Facts, mode.Params)
	if !mode.Project {
		schema = without(schema, []string{policies.FactBase, policies.FactHead})
	}
	params := map[string]any{}
	var required []any
	for _, p := range mode.Params {
		params[p.Name] = schemaOfParam(p)
		if p.With == "" && p.WithAny == nil && (!p.Optional || p.Default != nil) {
			required = append(required, p.Name)
		}
	}
	ofRule, _ := propertiesOf(schema)["rule"].(map[string]any)
	propertiesOf(ofRule)["params"] = ObjectSchema(params, required)
	return schema
}

// ChangeSchema returns the schemas, by name, of the facts about a changeset that belong
// to no mode.
func ChangeSchema() map[string]any {
	asked := []string{policies.FactChanges, policies.FactCommits, policies.FactPR, policies.FactNow}
	schema := schemaWith(asked, nil)
	properties := propertiesOf(schema)
	maps.DeleteFunc(properties, func(name string, _ any) bool {
		return !slices.Contains(append(asked, policies.FactBase, policies.FactHead, policies.FactRule), name)
	})
	return properties
}

func schemaOfParam(p policies.Param) map[string]any {
	switch p.Type {
	case policies.Integer:
		return map[string]any{"type": "integer"}
	case policies.Fraction, policies.Amount:
		return map[string]any{"type": "number"}
	case policies.Boolean:
		return map[string]any{"type": "boolean"}
	case policies.Patterns, policies.Files, policies.Regexes, policies.Strings, policies.Rules: // one or a list
		return map[string]any{}
	default:
		return map[string]any{"type": "string"}
	}
}

// schemaWith returns the schema of an input with these facts; params may have matches.
func schemaWith(facts []string, params []policies.Param) map[string]any {
	asked := func(known []string) []string {
		return slices.DeleteFunc(known, func(fact string) bool { return slices.Contains(facts, fact) })
	}
	change := without(SchemaOf(reflect.TypeFor[diff.Change]()), asked(policies.ChangeFacts()))
	match := SchemaOf(reflect.TypeFor[correspondence.Match]())
	propertiesOf(match)["change"] = change
	list := map[string]any{"type": "array", "items": match}
	matches := map[string]any{rule.Safety: list}
	for _, p := range params {
		if p.IsPattern() {
			matches[p.Name] = list
		}
	}
	schema := SchemaOf(reflect.TypeFor[Input]())
	propertiesOf(schema)["changes"] = map[string]any{"type": "array", "items": change}
	propertiesOf(schema)["matches"] = ObjectSchema(matches, nil)
	required, _ := schema["required"].([]any)
	for _, f := range establish.Facts() {
		propertiesOf(schema)[f.Name] = schemaOfMade(f, params)
		required = append(required, f.Name)
	}
	schema["required"] = required
	return without(schema, asked(policies.Facts()))
}

// schemaOfMade returns the schema of a fact; of one by parameter, with a property for each of
// params that has the fact's type.
func schemaOfMade(f establish.Fact, params []policies.Param) map[string]any {
	if f.By == "" {
		return SchemaOf(f.Type)
	}
	properties := map[string]any{}
	for _, p := range params {
		if p.Type == f.By {
			properties[p.Name] = SchemaOf(f.Type.Elem())
		}
	}
	return ObjectSchema(properties, nil)
}

// without removes properties from the schema of an object.
func without(schema map[string]any, names []string) map[string]any {
	maps.DeleteFunc(propertiesOf(schema), func(name string, _ any) bool { return slices.Contains(names, name) })
	required, _ := schema["required"].([]any)
	schema["required"] = slices.DeleteFunc(required, func(name any) bool {
		text, _ := name.(string)
		return slices.Contains(names, text)
	})
	return schema
}

func propertiesOf(schema map[string]any) map[string]any {
	properties, _ := schema["properties"].(map[string]any)
	return properties
}

// SchemaOf returns the JSON Schema of a type. It follows encoding/json: its tags, omitempty and omitzero as "may be
// absent", and the fields of what is embedded.
func SchemaOf(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[time.Time]() {
		return map[string]any{"type": "string"} // RFC 3339
	}
	switch t.Kind() {
	case reflect.Pointer:
		return SchemaOf(t.Elem())
	case reflect.Struct:
		properties := map[string]any{}
		required := []any{}
		for _, f := range fieldsOf(t) {
			of := t.Field(f.index).Type
			schema := SchemaOf(of)
			if !f.embedded {
				properties[f.name] = schema
				if !f.optional() {
					required = append(required, f.name)
				}
				continue
			}
			maps.Copy(properties, propertiesOf(schema))
			if needed, ok := schema["required"].([]any); ok && of.Kind() == reflect.Struct {
				required = append(required, needed...)
			}
		}
		return ObjectSchema(properties, required)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": SchemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": SchemaOf(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	default: // any
		return map[string]any{}
	}
}

// ObjectSchema returns the schema of an object that has these properties and no other.
func ObjectSchema(properties map[string]any, required []any) map[string]any {
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
