package workflow

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// schema is a JSON Schema.
type schema = map[string]any

// Schema returns the JSON Schema (2020-12) of a workflow file, for editors. It covers
// keys and types; only [Load] checks more, such as conditions and the names of phases.
func Schema() ([]byte, error) {
	s := rule.MappingSchema(definitionKeys(), map[string]schema{
		"nodes":            mapOf(reference("phase")),
		"phases":           listOf(reference("listed_phase")),
		"rule_definitions": mapOf(schema{"type": "object"}),
		"imports":          oneOrMore(schema{"type": "string", "minLength": 1}),
		"tool_rules":       listOf(reference("tool_rule")),
		"vars":             mapOf(schema{}),
		"observers":        listOf(reference("observer")),
	})
	s["title"] = "A workflow of rulecheck"
	s["oneOf"] = []any{schema{"required": []string{"nodes"}}, schema{"required": []string{"phases"}}}
	phase := map[string]schema{
		"rules":           listOf(schema{"type": "object"}),
		"check_rules":     oneOrMore(schema{"type": "string", "minLength": 1}),
		"tool_rules":      listOf(reference("tool_rule")),
		"gate.evidence":   mapOf(reference("evidence")),
		"exit_conditions": listOf(reference("exit_condition")),
		"transitions":     listOf(reference("transition")),
	}
	s["$defs"] = schema{
		"phase":        orNull(rule.MappingSchema(phaseKeys(), phase)),
		"listed_phase": rule.MappingSchema(listedPhaseKeys(), phase),
		"evidence":     rule.MappingSchema(evidenceKeys(), nil),
		"transition": rule.MappingSchema(transitionKeys(), map[string]schema{
			"when": {"anyOf": []any{schema{"const": true}, schema{"type": "string", "minLength": 1}}},
		}),
		"exit_condition": schema{"anyOf": exitSchemas()},
		"tool_rule":      rule.MappingSchema(toolRuleKeys(), nil),
		"observer": schema{"oneOf": []any{
			rule.MappingSchema(observerKeys(false), map[string]schema{"set": mapOf(schema{"type": []string{"string", "boolean", "number"}})}),
			rule.MappingSchema(observerKeys(true), map[string]schema{"with": mapOf(schema{})}),
		}},
	}
	return rule.EncodeSchema(s)
}

// exitSchemas returns the schemas of all forms of exit conditions.
func exitSchemas() []any {
	forms := []any{schema{"type": "string", "minLength": 1, "description": "A condition that must hold."}}
	for _, f := range exitForms() {
		values := map[string]schema{}
		if f.name == "webhook" {
			status := schema{"type": "integer", "minimum": minStatus, "maximum": maxStatus}
			values["webhook.status"], values["webhook.json_value"] = oneOrMore(status), schema{}
		}
		form := rule.MappingSchema(f.keys(), values)
		if f.deprecated != "" {
			form["properties"].(schema)["type"] = schema{"const": f.name}
			required, _ := form["required"].([]string)
			form["required"] = append(slices.Clone(required), "type")
			form["deprecated"], form["description"] = true, "Deprecated: write "+f.deprecated+"."
		}
		forms = append(forms, form)
	}
	return forms
}

func reference(name string) schema { return schema{"$ref": "#/$defs/" + name} }

// mapOf returns the schema of a mapping; null is an empty one.
func mapOf(value schema) schema {
	return schema{"type": []string{"object", "null"}, "additionalProperties": value}
}

// listOf returns the schema of a list; null is an empty one.
func listOf(item schema) schema {
	return schema{"type": []string{"array", "null"}, "items": item}
}

func oneOrMore(item schema) schema { return schema{"anyOf": []any{item, listOf(item)}} }

func orNull(s schema) schema {
	s["type"] = []string{"object", "null"}
	return s
}
