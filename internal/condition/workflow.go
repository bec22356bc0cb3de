package condition

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// The facts of conditions in workflows, with now.
const (
	FactArtifacts = "artifacts" // by phase: the evidence that it hands on
	FactClaims    = "claims"    // by name: what is claimed, true or false
	FactEvidence  = "evidence"  // by name: what is shown
	FactPhase     = "phase"     // the stay that may end
	FactVars      = "vars"
)

// The variables of the library's functions, which workflows do not declare.
const (
	VarMCPCalls    = "mcp_calls"    // by server: the tools that were called
	VarMCPResults  = "mcp_results"  // by server and tool: the last result
	VarStopSignal  = "stop_signal"  // whether the user asked to stop
	VarTaskReviews = "task_reviews" // by task: whether a person must look at it
	VarTaskTrees   = "task_trees"   // by task: whether it and all below it are done
)

// libraryVars are their schemas.
func libraryVars() map[string]any {
	of := func(inside map[string]any) map[string]any {
		return map[string]any{"type": "object", "additionalProperties": inside}
	}
	boolean := map[string]any{"type": "boolean"}
	return map[string]any{
		VarMCPCalls:    of(map[string]any{"type": "array", "items": map[string]any{"type": "string"}}),
		VarMCPResults:  of(of(map[string]any{})),
		VarStopSignal:  boolean,
		VarTaskReviews: of(boolean),
		VarTaskTrees:   of(boolean),
	}
}

// Names lists what the conditions of a workflow may refer to. Names of claims and
// evidence are open, all others are not.
type Names struct {
	// Vars are the variables with their initial values, which define their types,
	// as decoded from JSON.
	Vars map[string]any
	// Outputs lists the outputs of each phase; nil: any evidence.
	Outputs map[string][]string
}

// artifacts returns the schema of the outputs of all phases.
func (n Names) artifacts() map[string]any {
	phases := map[string]any{}
	for phase, outputs := range n.Outputs {
		if outputs == nil {
			phases[phase] = map[string]any{"type": "object"}
			continue
		}
		fields := map[string]any{}
		for _, name := range outputs {
			fields[name] = map[string]any{}
		}
		phases[phase] = policy.ObjectSchema(fields, nil)
	}
	return policy.ObjectSchema(phases, nil)
}

// variables returns the schemas of the variables, with those of the library.
func (n Names) variables() map[string]any {
	schemas := libraryVars()
	for name, value := range n.Vars {
		schemas[name] = schemaOfValue(value)
	}
	return schemas
}

// WorkflowVocabulary returns the vocabulary of transitions, gates and exit conditions.
func WorkflowVocabulary(n Names) Vocabulary {
	text := map[string]any{"type": "string"}
	name := maps.Clone(text)
	if phases := slices.Sorted(maps.Keys(n.Outputs)); len(phases) > 0 {
		name["enum"] = phases
	}
	phase := map[string]any{"name": name, "start": text, "seconds": map[string]any{"type": "integer"}}
	return vocabulary(map[string]any{
		FactArtifacts:    n.artifacts(),
		FactClaims:       map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "boolean"}},
		FactEvidence:     map[string]any{"type": "object"},
		FactPhase:        policy.ObjectSchema(phase, []any{"name", "start", "seconds"}),
		FactVars:         policy.ObjectSchema(n.variables(), nil),
		policies.FactNow: text,
	})
}

func schemaOfValue(value any) map[string]any {
	switch value.(type) {
	case bool:
		return map[string]any{"type": "boolean"}
	case json.Number, float64, int:
		return map[string]any{"type": "number"}
	case string:
		return map[string]any{"type": "string"}
	case []any:
		return map[string]any{"type": "array"}
	case map[string]any:
		return map[string]any{"type": "object", "additionalProperties": map[string]any{}}
	default:
		return map[string]any{}
	}
}

// libraryReads is the variable that each function of the library reads.
var libraryReads = map[string]string{
	"mcp_called":             VarMCPCalls,
	"mcp_failed":             VarMCPResults,
	"mcp_result_has":         VarMCPResults,
	"mcp_result_is_null":     VarMCPResults,
	"has_stop_signal":        VarStopSignal,
	"task_needs_user_review": VarTaskReviews,
	"task_tree_complete":     VarTaskTrees,
}

// Need is something that a condition asks of a variable.
type Need struct {
	Function string // of the library; empty: the condition reads the variable itself
	Var      string
}

// String returns the name that the condition reads.
func (n Need) String() string {
	if n.Function != "" {
		return "lib." + n.Function
	}
	return FactVars + "." + n.Var
}

// Unknown returns something that a condition reads of variables and that has no value.
// suffices narrows what counts as a value; nil: any does.
func (c *Set) Unknown(id string, vars map[string]any, suffices func(Need) bool) (Need, bool) {
	for _, n := range c.Needs(id) {
		if _, has := vars[n.Var]; !has || suffices != nil && !suffices(n) {
			return n, true
		}
	}
	return Need{}, false
}

// Needs lists what a condition reads of variables, in no particular order. Where
// one of them has no value the condition would be undefined, and its negation
// true; the caller must use neither.
func (c *Set) Needs(id string) []Need {
	var needs []Need
	add := func(n Need) {
		if n.Var != "" && !slices.Contains(needs, n) {
			needs = append(needs, n)
		}
	}
	read := func(ref ast.Ref) bool {
		head, _ := ref[0].Value.(ast.Var)
		name := func(i int) string {
			if i >= len(ref) {
				return ""
			}
			text, _ := ref[i].Value.(ast.String)
			return string(text)
		}
		switch {
		case head == FactVars:
			add(Need{Var: name(1)})
		case head == "lib":
			add(Need{Function: name(1), Var: libraryReads[name(1)]})
		case ref.HasPrefix(libraryRef):
			add(Need{Function: name(len(libraryRef)), Var: libraryReads[name(len(libraryRef))]})
		}
		return false
	}
	for _, one := range c.conditions[id] {
		ast.WalkRefs(one.body, read)
	}
	return needs
}
