package condition

import (
	"maps"
	"reflect"

	"github.com/rulecheck/rulecheck/internal/bash"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// FactAgent is the name of the agent, in the conditions of tool rules.
const FactAgent = "agent"

// ToolVocabulary returns the vocabulary of the conditions of tool rules. Rule files may
// read any variable; those with a known type are the declared ones.
func ToolVocabulary(n Names) Vocabulary {
	variables := libraryVars()
	maps.Copy(variables, n.variables())
	text := map[string]any{"type": "string"}
	open := map[string]any{"type": "object", "additionalProperties": map[string]any{}}
	facts := map[string]any{
		FactAgent:              text,
		policies.FactEvent:     text,
		policies.FactToolName:  text,
		policies.FactToolInput: open,
		policies.FactMCP:       policy.SchemaOf(reflect.TypeFor[policy.MCPFacts]()),
		policies.FactCommand:   policy.SchemaOf(reflect.TypeFor[bash.Line]()),
		FactVars:               map[string]any{"type": "object", "properties": variables, "additionalProperties": map[string]any{}},
		policies.FactNow:       text,
	}
	var required []any
	for name := range facts {
		required = append(required, name)
	}
	return Vocabulary{Facts: policy.ObjectSchema(facts, required)}
}

// Reads reports whether a condition reads a fact, or may read it in the library.
func (c *Set) Reads(id, fact string) bool {
	one := c.conditions[id]
	return one != nil && (one.names[fact] || one.library)
}
