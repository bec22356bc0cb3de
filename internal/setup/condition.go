package setup

import (
	"context"
	"errors"
	"slices"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// CompileConditions compiles the conditions of all rules: those of tool rules with the
// facts of tool calls, all others with those of changes. A rule whose condition does not
// compile is treated like one that does not load.
func (p *Project) CompileConditions(ctx context.Context) (err error) {
	ofTool := func(r *rule.Rule) bool { return p.Modes[r.Mode].Tool() }
	ofOther := func(r *rule.Rule) bool { return !ofTool(r) }
	if p.Conditions, err = p.compileConditions(ctx, condition.ChangeVocabulary(), ofOther); err != nil {
		return err
	}
	p.ToolConditions, err = p.compileConditions(ctx, condition.ToolVocabulary(condition.Names{}), ofTool)
	return err
}

// compileConditions compiles the conditions of some rules; nil if none has one.
func (p *Project) compileConditions(ctx context.Context, v condition.Vocabulary, of func(*rule.Rule) bool) (*condition.Set, error) {
	texts := map[string]*rule.Condition{}
	for _, r := range p.Rules {
		if r.When != nil && of(r) {
			texts[r.ID] = r.When
		}
	}
	if len(texts) == 0 {
		return nil, nil //nolint:nilnil // no rule has a condition
	}
	compiled, problems, err := condition.Compile(ctx, p.Bundle, v, texts)
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
