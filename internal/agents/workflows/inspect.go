package workflows

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// The code of what can be read and never has an effect.
const codeUnknownPhase = "unknown_phase"

// inspect returns the problems of the project's workflow files and of rules that
// are limited to phases that no workflow has: they would never fire.
func (p Set) inspect(ctx context.Context) ([]finding.Problem, error) {
	phases := []string{}
	complete := true
	var problems []finding.Problem
	namesPhases := slices.ContainsFunc(p.Rules, func(r *rule.Rule) bool { return len(r.Phases) > 0 })
	for _, name := range p.Names() {
		own := p.ownsWorkflow(name)
		if !own && !namesPhases {
			continue // its phases are not asked for
		}
		d, wrong, _, err := p.Workflow(name)
		if err != nil {
			return nil, err
		}
		if own {
			problems = append(problems, wrong...)
		}
		if d == nil {
			complete = false
			continue
		}
		phases = append(phases, d.Names()...)
		if !own {
			continue
		}
		if wrong, err = p.conditionProblems(ctx, d); err != nil {
			return nil, err
		}
		problems = append(problems, wrong...)
	}
	if complete {
		problems = append(problems, p.unknownPhases(phases)...)
	}
	return problems, nil
}

// conditionProblems returns the problems of a workflow's conditions.
func (p Set) conditionProblems(ctx context.Context, d *workflow.Definition) ([]finding.Problem, error) {
	texts := map[string]*rule.Condition{}
	for i, c := range d.Conditions() {
		texts[strconv.Itoa(i)] = c
	}
	names := condition.Names{Vars: d.Vars, Outputs: d.Outputs()}
	var problems []finding.Problem
	var err error
	if len(texts) > 0 {
		if _, problems, err = condition.Compile(ctx, p.Bundle, condition.WorkflowVocabulary(names), texts); err != nil {
			return nil, err
		}
	}
	conditional := map[string]*rule.Rule{}
	for _, phase := range append([]string{workflow.Done}, d.Names()...) {
		for _, r := range d.ToolRulesIn(phase) {
			if r.Conditional() {
				conditional[r.ID] = r
			}
		}
	}
	var ofTools []finding.Problem
	if len(conditional) > 0 {
		rules := slices.Collect(maps.Values(conditional))
		if _, ofTools, err = condition.CompileRules(ctx, p.Bundle, condition.ToolVocabulary(names), rules); err != nil {
			return nil, err
		}
	}
	_, ofObservers, err := p.ObserverValues(ctx, d, d.Observers)
	return slices.Concat(problems, ofTools, ofObservers), err
}

// ObserverValues compiles the values that observers of a workflow set; nil if they set none.
func (p Set) ObserverValues(ctx context.Context, d *workflow.Definition, observers []workflow.Observer) (*condition.Set, []finding.Problem, error) {
	values := map[string]condition.Value{}
	for _, o := range observers {
		for _, a := range o.Set {
			values[o.ID(a)] = condition.Value{Condition: a.Value, Var: a.Name}
		}
	}
	if len(values) == 0 {
		return nil, nil, nil
	}
	return condition.CompileValues(ctx, p.Bundle, condition.EventVocabulary(condition.Names{Vars: d.Vars, Outputs: d.Outputs()}), values)
}

// unknownPhases returns the problems of rules that name other phases than known.
func (p Set) unknownPhases(known []string) []finding.Problem {
	slices.Sort(known)
	known = slices.Compact(known)
	var problems []finding.Problem
	for _, r := range p.Rules {
		for _, name := range r.Phases {
			if !slices.Contains(known, name) {
				problems = append(problems, finding.Problem{
					File: r.File, Line: r.PhasesAt.Line, Column: r.PhasesAt.Column, Code: codeUnknownPhase,
					Message: fmt.Sprintf(`"phase": no workflow has a phase %q%s`, name, suggest.OneOf(name, known)),
				})
			}
		}
	}
	return problems
}
