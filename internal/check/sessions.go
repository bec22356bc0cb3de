package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// auditSessions audits the sessions whose logs are part of the repository, by the rules
// whose condition holds for the change.
func (r *run) auditSessions(ctx context.Context, changes []*change) (audit.Result, error) {
	if r.Logs.Off {
		return audit.Result{}, nil
	}
	rules, excluded := r.sessionRules(ctx, changes)
	if len(rules) == 0 {
		return audit.Result{Problems: excluded.problems, LeftOut: excluded.rules}, nil
	}
	logs := r.Logs
	if usual := r.usual(changes); usual.missing == nil {
		var err error
		if logs.Added, err = r.addedLogs(ctx, usual); err != nil {
			return audit.Result{}, err
		}
	}
	result, err := audit.Sessions(ctx, r.engine, r.head, r.project, rules, logs)
	result.Problems = append(excluded.problems, result.Problems...)
	result.LeftOut += excluded.rules
	return result, err
}

// usual returns the change since the usual base.
func (r *run) usual(changes []*change) *change {
	return changes[slices.IndexFunc(changes, func(c *change) bool { return c.base == r.baseID(diff.MergeBase) })]
}

// sessionRules returns the selected rules about sessions whose condition holds for the
// change since the usual base, and those whose condition has no answer.
func (r *run) sessionRules(ctx context.Context, changes []*change) (rules []audit.Rule, excluded unevaluated) {
	about := slices.DeleteFunc(slices.Clone(r.selected.Rules), func(of *rule.Rule) bool { return !r.aboutSessions(of) })
	if len(about) == 0 {
		return nil, excluded
	}
	usual := r.usual(changes)
	var conditions map[string]condition.Answer
	if usual.missing == nil {
		conditions = r.decider.Conditions(ctx, about, usual.Changeset)
	}
	for _, of := range about {
		answer := condition.Answer{Holds: true}
		if of.When != nil && usual.missing != nil {
			answer = condition.Answer{Err: usual.missing}
		} else if of.When != nil {
			answer = conditions[of.ID]
		}
		switch {
		case answer.Err != nil:
			excluded.problems = append(excluded.problems, setup.NotEvaluated(answer.Err))
			excluded.rules++
		case answer.Holds:
			rules = append(rules, audit.NewRule(of, r.project.Modes.Of(of.Mode)))
		}
	}
	return rules, excluded
}
