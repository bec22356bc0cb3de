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
	"github.com/rulecheck/rulecheck/policies"
)

// CompileConditions compiles the conditions of all rules, each with the facts of its kind: of
// changes, sessions or tool calls. A rule whose condition does not
// compile is treated like one that does not load. Variables have their initial values.
func (p *Project) CompileConditions(ctx context.Context) (err error) {
	names := condition.Names{}
	if slices.ContainsFunc(p.Rules, ReadsVars) {
		names.Vars, p.Vars = p.agents.Variables(p)
	}
	for _, kind := range []struct {
		set        **condition.Set
		vocabulary func(condition.Names) condition.Vocabulary
		of         func(policies.Mode) bool
	}{
		{&p.Conditions, condition.ChangeVocabulary, policies.Mode.Change},
		{&p.SessionConditions, condition.SessionVocabulary, policies.Mode.Session},
		{&p.ToolConditions, condition.ToolVocabulary, policies.Mode.Tool},
	} {
		of := func(r *rule.Rule) bool { return kind.of(p.Modes.Of(r.Mode)) }
		if *kind.set, err = p.compileConditions(ctx, func() condition.Vocabulary { return kind.vocabulary(names) }, of); err != nil {
			return err
		}
	}
	p.setVars(p.Vars)
	return nil
}

// FactsOfConditions returns the JSON Schema of what the conditions of rules about changes and
// sessions may read.
func (p *Project) FactsOfConditions() map[string]any {
	names := condition.Names{}
	names.Vars, _ = p.agents.Variables(p)
	return condition.SessionVocabulary(names).Facts
}

// Git returns the repository as its conditions may read it.
func (p *Project) Git() *condition.Git {
	return &condition.Git{Repository: p.engine, Checked: p.Head, DefaultBranch: p.Config.DefaultBranch}
}

// SetVars sets variables that the conditions of rules about changes and sessions read.
func (p *Project) SetVars(vars map[string]any) {
	if p.Vars == nil || len(vars) == 0 {
		return
	}
	all := maps.Clone(p.Vars)
	maps.Copy(all, vars)
	p.setVars(all)
}

func (p *Project) setVars(vars map[string]any) {
	for _, set := range []**condition.Set{&p.Conditions, &p.SessionConditions} {
		if *set != nil {
			*set = (*set).WithVars(vars)
		}
	}
}

// SessionConditionsOf compiles the conditions of those rules that may read the session and no
// variables; nil if none may. Their problems are for checks of changes.
func (p *Project) SessionConditionsOf(ctx context.Context, rules []*rule.Rule) (*condition.Set, error) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r *rule.Rule) bool {
		return !mentions(r, policies.FactSession)
	})
	if len(rules) == 0 {
		return nil, nil //nolint:nilnil // no rule has such a condition
	}
	set, _, err := condition.CompileRules(ctx, p.Bundle, condition.SessionVocabulary(condition.Names{}), rules)
	return set, err
}

// ReadsVars reports whether a rule's condition may read variables: it mentions them, or
// the library.
func ReadsVars(r *rule.Rule) bool { return mentions(r, condition.FactVars) }

// mentions reports whether the text of a rule's conditions has the name of a fact, or of the
// library.
func mentions(r *rule.Rule, fact string) bool {
	return slices.ContainsFunc(r.Conditions(), func(c *rule.Condition) bool {
		return strings.Contains(c.Text, fact) || strings.Contains(c.Text, "lib")
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
