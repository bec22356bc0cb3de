package setup

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// CompileConditions compiles the conditions of all rules: tool rules with the
// facts of tool calls, all others with the facts of changes. A rule whose condition does not
// compile is treated like one that does not load. Variables have their initial values.
func (p *Project) CompileConditions(ctx context.Context) (err error) {
	names := condition.Names{}
	if slices.ContainsFunc(p.Rules, readsSession) {
		names.Vars, p.Vars = p.variables()
	}
	ofTool := func(r *rule.Rule) bool { return p.Modes.Of(r.Mode).Tool() }
	ofOther := func(r *rule.Rule) bool { return !ofTool(r) }
	if p.Conditions, err = p.compileConditions(ctx, func() condition.Vocabulary { return condition.ChangeVocabulary(names) }, ofOther); err != nil {
		return err
	}
	if p.Conditions != nil {
		p.Conditions = p.Conditions.WithVars(p.Vars)
	}
	p.ToolConditions, err = p.compileConditions(ctx, func() condition.Vocabulary { return condition.ToolVocabulary(names) }, ofTool)
	return err
}

// SetVars sets variables that the conditions of rules about changes read.
func (p *Project) SetVars(vars map[string]any) {
	if p.Conditions == nil || p.Vars == nil || len(vars) == 0 {
		return
	}
	all := maps.Clone(p.Vars)
	maps.Copy(all, vars)
	p.Conditions = p.Conditions.WithVars(all)
}

// readsSession reports whether a rule's condition may read variables: it mentions them, or
// the library.
func readsSession(r *rule.Rule) bool {
	return r.When != nil && (strings.Contains(r.When.Text, condition.FactVars) || strings.Contains(r.When.Text, "lib"))
}

// variables returns the variables that any workflow declares, with a value of their type,
// and their initial values. Where workflows disagree, there is no type or no value.
func (p *Project) variables() (declared, initial map[string]any) {
	declared, initial = map[string]any{}, map[string]any{}
	for _, name := range p.Workflows() {
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
func (p *Project) In(d *workflow.Definition, rules []*rule.Rule) (names condition.Names, initial map[string]any) {
	names.Vars, initial = map[string]any{}, map[string]any{}
	if slices.ContainsFunc(rules, readsSession) {
		names.Vars, initial = p.variables()
	}
	if d != nil {
		maps.Copy(names.Vars, d.Vars)
		maps.Copy(initial, d.Vars)
		names.Outputs = d.Outputs()
	}
	return names, initial
}

// compileConditions compiles the conditions of some rules; nil if none has one.
func (p *Project) compileConditions(ctx context.Context, vocabulary func() condition.Vocabulary, of func(*rule.Rule) bool) (*condition.Set, error) {
	texts := map[string]*rule.Condition{}
	for _, r := range p.Rules {
		if r.When != nil && of(r) {
			texts[r.ID] = r.When
		}
	}
	if len(texts) == 0 {
		return nil, nil //nolint:nilnil // no rule has a condition
	}
	compiled, problems, err := condition.Compile(ctx, p.Bundle, vocabulary(), texts)
	if err != nil {
		return nil, err
	}
	p.Problems = append(p.Problems, problems...)
	malformed := func(r *rule.Rule) bool { return r.When != nil && of(r) && !compiled.Has(r.ID) }
	for _, r := range p.Rules {
		if malformed(r) {
			p.Broken = append(p.Broken, r.ID)
		}
	}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), malformed) // workflows name the rules that were loaded
	return compiled, nil
}

// NotEvaluated returns the problem of a rule that has no verdict because of err, at
// the place of its condition if that is known.
func NotEvaluated(err error) finding.Problem {
	p := finding.Problem{Code: report.NotEvaluated, Message: err.Error()}
	if failed := (*condition.Error)(nil); errors.As(err, &failed) && failed.Place.File != "" {
		p.File, p.Line, p.Column = failed.Place.File, failed.Place.Line, failed.Place.Column
	}
	return p
}
