package workflows

import (
	"maps"
	"reflect"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// variables returns the variables that any workflow declares, with a value of their type,
// and their initial values. Where workflows disagree, there is no type or no value.
func (p Set) variables() (declared, initial map[string]any) {
	declared, initial = map[string]any{}, map[string]any{}
	for _, name := range p.Names() {
		d, _, _, err := p.Workflow(name)
		if err != nil || d == nil { // a check reports what is wrong with it
			continue
		}
		for name, value := range d.Vars {
			known, ok := declared[name]
			switch {
			case !ok:
				declared[name], initial[name] = value, value
			case !policies.SameType(known, value):
				declared[name] = nil
				delete(initial, name)
			case !reflect.DeepEqual(known, value):
				delete(initial, name)
			}
		}
	}
	return declared, initial
}

// In returns the variables in a session of a workflow: those of the workflow, and of other
// workflows for the conditions of rule files.
func (p Set) In(d *workflow.Definition, rules []*rule.Rule) (names condition.Names, initial map[string]any) {
	names.Vars, initial = map[string]any{}, map[string]any{}
	if slices.ContainsFunc(rules, setup.ReadsVars) {
		names.Vars, initial = p.variables()
	}
	if d != nil {
		maps.Copy(names.Vars, d.Vars)
		maps.Copy(initial, d.Vars)
		names.Outputs = d.Outputs()
	}
	return names, initial
}
