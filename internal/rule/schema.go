package rule

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Schema returns the JSON Schema (2020-12) of a rule file's frontmatter, for
// editors. It covers keys and types; only [Parse] checks more, such as the syntax
// of patterns. The same modes give the same bytes.
func Schema(modes policies.Modes) ([]byte, error) {
	defs := map[string]any{}
	common := map[string]any{}
	for name, schema := range properties(commonKeys(), "") {
		defs[name] = schema
		common[name] = map[string]any{"$ref": "#/$defs/" + name}
	}
	var branches []any
	for _, name := range modes.Names() {
		rows := modeKeys(keysFor(modes.Of(name), commonKeys()), []policies.Mode{modes.Of(name)}, true)
		branch := object(rows, "")
		own := branch["properties"].(map[string]any)
		for key, ref := range common {
			if own[key] != nil {
				own[key] = ref
			}
		}
		branch["required"] = requiredNames(rows, "", name)
		branch["title"] = modes.Of(name).Title
		branch["description"] = strings.Join(strings.Fields(modes.Of(name).Description), " ")
		if examples := frontmatters(modes.Of(name).Examples); len(examples) > 0 {
			branch["examples"] = examples
		}
		if with := dependencies(rows); len(with) > 0 {
			branch["dependentRequired"] = with
		}
		branches = append(branches, branch)
	}
	return encode(map[string]any{
		"title": "The frontmatter of a rulecheck rule file",
		"$defs": defs,
		"oneOf": branches,
	})
}

// frontmatters returns those of rule files as JSON values. Files without any are left out.
func frontmatters(files []string) []any {
	var values []any
	for _, text := range files {
		l := &yaml.Log{}
		if parts, ok := split(text, l); ok {
			if n := yaml.Read(parts.yaml, yamlLine, l); n != nil && len(l.List) == 0 {
				if value, err := n.JSON(); err == nil {
					values = append(values, value)
				}
			}
		}
	}
	return values
}

// ConfigSchema returns the JSON Schema (2020-12) of the configuration.
func ConfigSchema() ([]byte, error) {
	schema := object(configKeys(), "")
	schema["title"] = "The configuration of rulecheck"
	return encode(schema)
}

// MappingSchema returns the schema of a mapping with the keys of a table. Values has
// the schemas of the values that the decoder does not read, by key.
func MappingSchema(rows []Key, values map[string]map[string]any) map[string]any {
	schema := object(rows, "")
	for name, value := range values {
		at := schema
		for part := range strings.SplitSeq(name, ".") {
			at = at["properties"].(map[string]any)[part].(map[string]any)
		}
		description := at["description"]
		clear(at)
		maps.Copy(at, value)
		at["description"] = description
	}
	return schema
}

// EncodeSchema returns the text of a schema (2020-12). The same schema gives the same
// bytes.
func EncodeSchema(schema map[string]any) ([]byte, error) { return encode(schema) }

func encode(schema map[string]any) ([]byte, error) {
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return json.MarshalIndent(schema, "", "  ")
}

// object returns the schema of the mapping at a prefix.
func object(rows []Key, prefix string) map[string]any {
	schema := map[string]any{
		"type":                 "object",
		"properties":           properties(rows, prefix),
		"additionalProperties": false,
	}
	if required := requiredNames(rows, prefix); len(required) > 0 {
		schema["required"] = required
	}
	if choices := choicesOf(rows, prefix); prefix != "" && len(choices) > 0 {
		schema["anyOf"] = choices
	}
	return schema
}

func properties(rows []Key, prefix string) map[string]any {
	found := map[string]any{}
	for _, name := range children(rows, prefix) {
		if k, ok := lookup(rows, prefix+name); ok {
			found[name] = k.schema()
		} else {
			found[name] = object(rows, prefix+name+".")
		}
	}
	return found
}

// requiredNames returns the required keys directly below prefix, and those in also.
func requiredNames(rows []Key, prefix string, also ...string) []string {
	names := append(required(rows, prefix), also...)
	slices.Sort(names)
	return slices.Compact(names)
}

// choicesOf returns the schemas, one of which must hold, where keys directly below prefix have
// an effect only with one of some others: one of those that have one by themselves.
func choicesOf(rows []Key, prefix string) []any {
	var choices []any
	some := false
	for _, k := range rows {
		switch name, below := strings.CutPrefix(k.Name, prefix); {
		case below && k.WithAny != nil:
			some = true
		case below:
			choices = append(choices, map[string]any{"required": []string{name}})
		}
	}
	if !some {
		return nil
	}
	return choices
}

// dependencies returns the key that each key with [policies.Param.With] requires.
func dependencies(rows []Key) map[string][]string {
	required := map[string][]string{}
	for _, k := range rows {
		if k.With != "" {
			required[k.Name] = []string{k.With}
		}
	}
	return required
}

// schema returns the schema of a key's value.
func (k Key) schema() map[string]any {
	t := types[k.Type]
	single := k.single(t)
	if k.Mapping != nil {
		single = map[string]any{"anyOf": []any{single, object(k.Mapping, "")}}
	}
	if t.many == "" {
		return k.annotate(single)
	}
	items := single
	if k.Blank {
		items = map[string]any{"type": "string"}
	}
	array := map[string]any{"type": "array", "items": items, "minItems": max(k.AtLeast, 1)}
	if k.Distinct {
		array["uniqueItems"] = true
	}
	if k.AtLeast > 1 {
		return k.annotate(array)
	}
	forms := []any{single, array}
	if k.Any {
		alternatives := map[string]any{"type": "array", "items": items, "minItems": 2}
		forms = append(forms, map[string]any{
			"type": "object", "properties": map[string]any{anyKey: alternatives}, "required": []string{anyKey}, "additionalProperties": false,
		})
	}
	return k.annotate(map[string]any{"anyOf": forms})
}

func (k Key) single(t valueType) map[string]any {
	switch t.kind {
	case yaml.Boolean:
		return map[string]any{"type": "boolean"}
	case yaml.Float:
		most := 1
		if k.Type == policies.Amount {
			most = maxAmount
		}
		return map[string]any{"type": "number", "exclusiveMinimum": 0, "maximum": most}
	case yaml.Integer:
		return map[string]any{"type": "integer", "minimum": k.minimum()}
	default:
		schema := map[string]any{"type": "string", "minLength": 1}
		if len(k.OneOf) > 0 {
			schema["enum"] = k.OneOf
		}
		return schema
	}
}

// describe returns the accepted values of a key of a mode, and the syntax of its patterns.
func (k Key) describe() string {
	if !k.ofMode {
		return ""
	}
	text := k.Describe()
	text = strings.ToUpper(text[:1]) + text[1:] + "."
	switch {
	case k.Type != policies.Pattern && k.Type != policies.Patterns:
	case k.Captures != "":
		text += " {name|kebab} expands a capture in another form: " + strings.Join(pattern.Filters(), ", ") + "."
	default:
		text += " {name} captures a name, {path} also across directories; ** is any directories."
	}
	if k.Parts {
		text += " path#/pointer is a key of a JSON, YAML, TOML or go.mod file, such as package.json#/dependencies/**."
	}
	if k.Parts && k.Type != policies.Files {
		text += " path#api is the exported symbols of source files, path#symbol:Name one symbol, path#heading:name a section of a markdown file."
	}
	return text
}

func (k Key) annotate(schema map[string]any) map[string]any {
	if description := cmp.Or(k.Doc, k.describe()); description != "" {
		schema["description"] = description
	}
	if k.Default != nil {
		schema["default"] = k.Default
	}
	return schema
}
