package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/policies"
)

// EventFacts hold what a behavior sees of an event of an agent, and what the values of
// observers read. Fields that an agent does not state are empty, or null.
type EventFacts struct {
	Agent          string         `json:"agent"`
	Event          string         `json:"event"`
	Subagent       bool           `json:"subagent"` // the event is one of a subagent
	Prompt         string         `json:"prompt"`
	PermissionMode string         `json:"permission_mode"`
	Source         string         `json:"source"` // of a session's start: startup, resume, clear, …
	ToolName       string         `json:"tool_name"`
	ToolKind       fact.Kind      `json:"tool_kind"` // what the tool does; empty for other events
	ToolInput      map[string]any `json:"tool_input"`
	ToolOutput     any            `json:"tool_output"` // null if it is unknown
	Succeeded      bool           `json:"succeeded"`   // the call is known to have succeeded
	Failed         bool           `json:"failed"`      // the call is known to have failed
	MCP            MCPFacts       `json:"mcp"`
	Command        fact.ShellLine `json:"command"`
	Phase          string         `json:"phase"`
	Now            string         `json:"now"`  // RFC 3339
	Vars           map[string]any `json:"vars"` // the variables before
	With           map[string]any `json:"with"` // the parameters of a behavior
}

// EventSchema returns the schemas of these facts, by name, without the parameters and
// without some names.
func EventSchema(without ...string) map[string]any {
	facts := propertiesOf(SchemaOf(reflect.TypeFor[EventFacts]()))
	open := map[string]any{"type": "object", "additionalProperties": map[string]any{}}
	facts["tool_input"] = open
	for _, name := range append(without, "with") {
		delete(facts, name)
	}
	return facts
}

// SchemaOfEvents returns the JSON Schema of what any behavior sees of an event; the parameters and
// the variables are open.
func SchemaOfEvents() map[string]any {
	facts := EventSchema()
	open := map[string]any{"type": "object", "additionalProperties": map[string]any{}}
	facts["vars"], facts["with"] = open, open
	schema := ObjectSchema(facts, requiredOf(facts))
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["title"] = "What a behavior sees of one event"
	return schema
}

func requiredOf(facts map[string]any) []any {
	var required []any
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		required = append(required, name)
	}
	return required
}

// behaviorSchema returns the schema for one behavior: its own parameters and variables.
func behaviorSchema(b policies.Behavior) map[string]any {
	facts := EventSchema()
	params := map[string]any{}
	var given []any
	for _, p := range b.Params {
		params[p.Name] = schemaOfParam(p)
		if p.Default != nil || !p.Optional {
			given = append(given, p.Name)
		}
	}
	vars := map[string]any{}
	for name := range b.Vars {
		vars[name] = map[string]any{}
	}
	facts["vars"] = ObjectSchema(vars, nil)
	facts["with"] = ObjectSchema(params, given)
	return ObjectSchema(facts, requiredOf(facts))
}

// Behaviors are compiled behaviors. They may be used concurrently.
type Behaviors struct {
	known map[string]policies.Behavior
	query map[string]rego.PreparedEvalQuery
}

// NewBehaviors compiles some behaviors of b, with the limits of policies.
func NewBehaviors(ctx context.Context, b *policies.Bundle, names []string) (*Behaviors, error) {
	known, modules, err := b.BehaviorModules(names)
	if err != nil {
		return nil, err
	}
	c, err := compile(ctx, b, modules)
	if err != nil {
		return nil, err
	}
	set := &Behaviors{known: known, query: map[string]rego.PreparedEvalQuery{}}
	for _, name := range names {
		for _, p := range c.problems {
			if module, ok := modules[p.File]; ok && module.Package.Path.Equal(known[name].Package()) {
				return nil, p
			}
		}
		set.query[name], err = rego.New(append(policies.Builtins(),
			rego.ParsedQuery(ast.NewBody(ast.NewExpr(ast.NewTerm(known[name].Package().Append(ast.StringTerm("updates")))))),
			rego.Compiler(c.compiler),
			rego.StrictBuiltinErrors(true),
			rego.GenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) { return term.Value, nil }),
		)...).PrepareForEval(ctx)
		if err != nil {
			return nil, fmt.Errorf("behavior %s: %w", name, err)
		}
	}
	return set, nil
}

// Run returns the new values of variables after an event; those that it does not name keep
// theirs. Numbers are json.Number.
func (b *Behaviors) Run(ctx context.Context, name string, in EventFacts) (map[string]any, error) {
	declared, ok := b.known[name]
	if !ok {
		return nil, fmt.Errorf("behavior %s: it was not compiled", name)
	}
	own := map[string]any{}
	for variable := range declared.Vars {
		own[variable] = in.Vars[variable]
	}
	in.Vars = own
	facts := Facts(in)
	facts["with"] = in.With
	e := NewEncoder(nil)
	input := e.Term(facts)
	if err := e.Err(); err != nil {
		return nil, fmt.Errorf("behavior %s: %w", name, err)
	}
	values, err := limit.Run(ctx, limit.Time, func(ctx context.Context) (map[string]any, error) {
		results, err := b.query[name].Eval(ctx, rego.EvalParsedInput(input.Value))
		if err != nil {
			return nil, err
		}
		if len(results) != 1 || len(results[0].Expressions) != 1 {
			return nil, errors.New("its updates are undefined; want an object of variables")
		}
		value, _ := results[0].Expressions[0].Value.(ast.Value)
		return variablesOf(value, declared)
	})
	if err != nil {
		return nil, fmt.Errorf("behavior %s: %w", name, err)
	}
	return values, nil
}

// variablesOf reads the object that a behavior returns.
func variablesOf(value ast.Value, declared policies.Behavior) (map[string]any, error) {
	object, ok := value.(ast.Object)
	if !ok {
		return nil, fmt.Errorf("its updates are %v; want an object of variables", value)
	}
	values := map[string]any{}
	err := object.Iter(func(key, value *ast.Term) error {
		name, _ := key.Value.(ast.String)
		if _, ok := declared.Vars[string(name)]; !ok {
			return fmt.Errorf("it sets %s; want one of %q", key, slices.Sorted(maps.Keys(declared.Vars)))
		}
		plain, err := ast.JSON(value.Value)
		values[string(name)] = plain
		return err
	})
	return values, err
}

// Facts returns the facts of an event by name, without the parameters of a behavior.
func Facts(f EventFacts) map[string]any {
	v := reflect.ValueOf(f)
	facts := map[string]any{}
	for _, field := range fieldsOf(v.Type()) {
		if field.name != "with" {
			facts[field.name] = v.Field(field.index).Interface()
		}
	}
	return facts
}
