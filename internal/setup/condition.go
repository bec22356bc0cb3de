package setup

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// CompileConditions compiles the conditions of all rules: tool rules with the
// facts of tool calls, all others with the facts of changes. A rule whose condition does not
// compile is treated like one that does not load. Variables have their initial values.
func (p *Project) CompileConditions(ctx context.Context) (err error) {
	names := condition.Names{}
	if slices.ContainsFunc(p.Rules, ReadsSession) {
		names.Vars, p.Vars = p.agents.Variables(p)
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

// Git returns the repository as its conditions may read it.
func (p *Project) Git() *condition.Git {
	return &condition.Git{Repository: p.engine, Checked: p.Head, DefaultBranch: p.Config.DefaultBranch}
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

// ReadsSession reports whether a rule's condition may read variables: it mentions them, or
// the library.
func ReadsSession(r *rule.Rule) bool {
	return slices.ContainsFunc(r.Conditions(), func(c *rule.Condition) bool {
		return strings.Contains(c.Text, condition.FactVars) || strings.Contains(c.Text, "lib")
	})
}

// compileConditions compiles the conditions of some rules; nil if none has one.
func (p *Project) compileConditions(ctx context.Context, vocabulary func() condition.Vocabulary, of func(*rule.Rule) bool) (*condition.Set, error) {
	conditional := slices.DeleteFunc(slices.Clone(p.Rules), func(r *rule.Rule) bool { return !r.Conditional() || !of(r) })
	if len(conditional) == 0 {
		return nil, nil //nolint:nilnil // no rule has a condition
	}
	compiled, problems, err := condition.CompileRules(ctx, p.Bundle, vocabulary(), conditional)
	if err != nil {
		return nil, err
	}
	p.Problems = append(p.Problems, problems...)
	compiled = compiled.WithGit(p.Git())
	malformed := func(r *rule.Rule) bool { return r.Conditional() && of(r) && !compiled.Has(r.ID) }
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
