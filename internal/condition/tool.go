package condition

import (
	"reflect"
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// The facts that only conditions of tool rules have: the name of the agent, and the workflow
// that is running.
const (
	FactAgent    = "agent"
	FactWorkflow = "workflow"
)

// ToolVocabulary returns the vocabulary of the conditions of tool rules.
func ToolVocabulary(n Names) Vocabulary {
	text := map[string]any{"type": "string"}
	return vocabulary(map[string]any{
		FactAgent:              text,
		policies.FactEvent:     text,
		policies.FactToolName:  text,
		policies.FactToolInput: map[string]any{"type": "object", "additionalProperties": map[string]any{}},
		policies.FactMCP:       policy.SchemaOf(reflect.TypeFor[policy.MCPFacts]()),
		policies.FactCommand:   policy.SchemaOf(reflect.TypeFor[fact.ShellLine]()),
		FactVars:               policy.ObjectSchema(n.variables(), nil),
		FactWorkflow:           policy.SchemaOf(reflect.TypeFor[fact.Workflow]()),
		policies.FactNow:       text,
	})
}

// EventVocabulary returns the vocabulary of the values that observers set: the facts of a
// behavior's input but its parameters.
func EventVocabulary(n Names) Vocabulary {
	facts := policy.EventSchema(FactVars)
	facts[FactVars] = policy.ObjectSchema(n.variables(), nil)
	return vocabulary(facts)
}

// Reads reports whether a condition reads a fact, or may read it in the library.
func (c *Set) Reads(id, name string) bool {
	return slices.ContainsFunc(c.conditions[id], func(one *condition) bool { return one.names[name] || one.library })
}
