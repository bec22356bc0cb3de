package workflows

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// The code of what can be read and never has an effect.
const codeUnknownPhase = "unknown_phase"

// inspect returns the problems of the project's workflow files and of rules that
// are limited to phases that no workflow has: they would never fire.
func (p Set) inspect(ctx context.Context) ([]finding.Problem, error) {
	phases := []string{}
	complete := true
	read := map[string]bool{} // files of rules
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
		for _, r := range d.Rules {
			read[r.File] = true
		}
		if wrong, err = p.ProblemsOf(ctx, d); err != nil {
			return nil, err
		}
		problems = append(problems, wrong...)
	}
	wrong, err := p.imported(ctx, read)
	if err != nil {
		return nil, err
	}
	problems = p.distinct(append(problems, wrong...))
	if complete {
		problems = append(problems, p.unknownPhases(phases)...)
	}
	return problems, nil
}

// ProblemsOf compiles all expressions of a workflow, and returns the problems of those that do
// not compile.
func (p Set) ProblemsOf(ctx context.Context, d *workflow.Definition) ([]finding.Problem, error) {
	return p.compile(ctx, condition.Names{Vars: d.Vars, Outputs: d.Outputs()}, d.Expressions())
}

// compile compiles expressions of all kinds.
func (p Set) compile(ctx context.Context, names condition.Names, expressions []workflow.Expression) ([]finding.Problem, error) {
	vocabularies := map[workflow.Facts]func(condition.Names) condition.Vocabulary{
		workflow.StepFacts: condition.WorkflowVocabulary, workflow.CallFacts: condition.ToolVocabulary,
		workflow.EventFacts: condition.EventVocabulary, workflow.ChangeFacts: condition.ChangeVocabulary,
		workflow.SessionFacts: condition.SessionVocabulary,
	}
	conditions := map[workflow.Facts]map[string]*rule.Condition{}
	values := map[workflow.Facts]map[string]condition.Value{}
	for i, e := range expressions {
		id := strconv.Itoa(i)
		if e.Mode != "" && p.Modes.Of(e.Mode).Session() {
			e.Facts = workflow.SessionFacts
		}
		if e.Var != "" {
			add(values, e.Facts, id, condition.Value{Condition: e.Condition, Var: e.Var})
		} else {
			add(conditions, e.Facts, id, e.Condition)
		}
	}
	var problems []finding.Problem
	for facts, of := range conditions {
		_, found, err := condition.Compile(ctx, p.Bundle, vocabularies[facts](names), of)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	for facts, of := range values {
		_, found, err := condition.CompileValues(ctx, p.Bundle, vocabularies[facts](names), of)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	finding.SortProblems(problems)
	return problems, nil
}

func add[V any](groups map[workflow.Facts]map[string]V, facts workflow.Facts, id string, value V) {
	if groups[facts] == nil {
		groups[facts] = map[string]V{}
	}
	groups[facts][id] = value
}

// imported returns the problems of the rules that workflows can import, without those of files
// that were read for a workflow.
func (p Set) imported(ctx context.Context, read map[string]bool) ([]finding.Problem, error) {
	rules, problems := p.Resolver().Importable()
	names := condition.Names{}
	if slices.ContainsFunc(rules, setup.ReadsVars) {
		names.Vars, _ = p.variables()
	}
	rules = slices.DeleteFunc(rules, func(r *rule.Rule) bool { return read[r.File] })
	found, err := p.compile(ctx, names, workflow.Conditions(rules))
	return append(problems, found...), err
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
	compiled, problems, err := condition.CompileValues(ctx, p.Bundle, condition.EventVocabulary(condition.Names{Vars: d.Vars, Outputs: d.Outputs()}), values)
	return compiled.WithGit(p.Git()), problems, err
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

// distinct returns one problem for each place that has none yet: several workflows may import one
// file, and the rules of phases were compiled with those of the project.
func (p Set) distinct(problems []finding.Problem) []finding.Problem {
	var once []finding.Problem
	for _, one := range problems {
		same := func(other finding.Problem) bool {
			return other.File == one.File && other.Line == one.Line && other.Column == one.Column
		}
		if !slices.Contains(once, one) && !slices.ContainsFunc(p.Problems, same) {
			once = append(once, one)
		}
	}
	return once
}
