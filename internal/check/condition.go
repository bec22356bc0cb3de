package check

import (
	"context"
	"errors"
	"slices"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// compileConditions compiles the conditions of all rules. A rule whose condition
// does not compile is as one that does not load.
func (s *setting) compileConditions(ctx context.Context) (*condition.Set, error) {
	texts := map[string]*rule.Condition{}
	for _, r := range s.all {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	if len(texts) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	compiled, problems, err := condition.Compile(ctx, s.bundle, condition.ChangeVocabulary(), texts)
	if err != nil {
		return nil, err
	}
	s.problems = append(s.problems, problems...)
	wrong := func(r *rule.Rule) bool { return r.When != nil && !compiled.Has(r.ID) }
	for _, r := range s.all {
		if wrong(r) {
			s.broken = append(s.broken, r.ID)
		}
	}
	s.all = slices.DeleteFunc(s.all, wrong)
	return compiled, nil
}

// askConditions evaluates the conditions of rules over one changeset, by id.
func (j *judge) askConditions(ctx context.Context, rules []*rule.Rule, c diff.Changeset) map[string]condition.Result {
	var facts []rule.Info
	for _, r := range rules {
		if r.When != nil {
			facts = append(facts, r.Info)
		}
	}
	if len(facts) == 0 {
		return nil
	}
	said := map[string]condition.Result{}
	in := policy.Input{Base: c.Base, Head: policy.HeadFacts{Head: c.Head, Event: j.options.Event}, Changes: c.Changes, Now: j.options.now()}
	for i, v := range j.conditions.OnChange(ctx, in, facts) {
		said[facts[i].ID] = v
	}
	return said
}

// notEvaluated is why a rule has no verdict, at its place where it is known.
func notEvaluated(why error) finding.Problem {
	p := finding.Problem{Code: report.NotEvaluated, Message: why.Error()}
	if failed := (*condition.Error)(nil); errors.As(why, &failed) && failed.Place.File != "" {
		p.File, p.Line, p.Column = failed.Place.File, failed.Place.Line, failed.Place.Column
	}
	return p
}
