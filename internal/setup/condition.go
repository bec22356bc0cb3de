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

// CompileConditions compiles the conditions of all rules. A rule whose condition does not
// compile is treated like one that does not load.
func (p *Project) CompileConditions(ctx context.Context) error {
	texts := map[string]*rule.Condition{}
	for _, r := range p.Rules {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	if len(texts) == 0 {
		return nil
	}
	compiled, problems, err := condition.Compile(ctx, p.Bundle, condition.ChangeVocabulary(), texts)
	if err != nil {
		return err
	}
	p.Problems = append(p.Problems, problems...)
	malformed := func(r *rule.Rule) bool { return r.When != nil && !compiled.Has(r.ID) }
	for _, r := range p.Rules {
		if malformed(r) {
			p.Broken = append(p.Broken, r.ID)
		}
	}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), malformed) // workflows name the rules that were loaded
	p.Conditions = compiled
	return nil
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
