package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/audit"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// aboutSessions reports whether a rule is about sessions.
func (j *judge) aboutSessions(r *rule.Rule) bool { return j.project.Modes[r.Mode].Session() }

// sessionRules returns the selected rules about sessions whose condition holds for the
// change.
func (j *judge) sessionRules(ctx context.Context) ([]*rule.Rule, error) {
	var rules []*rule.Rule
	for _, r := range j.selected.Rules {
		if j.aboutSessions(r) {
			rules = append(rules, r)
		}
	}
	conditional := func(r *rule.Rule) bool { return r.When != nil }
	if !slices.ContainsFunc(rules, conditional) {
		return rules, nil
	}
	c, err := j.bases.wait(ctx, j.options.baseID(diff.MergeBase))
	if err != nil && !unjudgeable(err) {
		return nil, err
	}
	answers := map[string]condition.Result{}
	if err == nil {
		answers = j.askConditions(ctx, rules, c)
	}
	return slices.DeleteFunc(rules, func(r *rule.Rule) bool {
		if r.When == nil {
			return false
		}
		answer := answers[r.ID]
		if err == nil && answer.Err == nil {
			return !answer.Holds
		}
		if err == nil {
			j.leave([]*rule.Rule{r}, answer.Err)
		} else {
			j.leave([]*rule.Rule{r}, err)
		}
		return true
	}), nil
}

// auditSessions audits the sessions whose logs are part of the repository.
func (j *judge) auditSessions(ctx context.Context) ([]finding.Finding, error) {
	if j.options.Logs.Off {
		return nil, nil
	}
	selected, err := j.sessionRules(ctx)
	if err != nil || len(selected) == 0 {
		return nil, err
	}
	var rules []audit.Rule
	for _, r := range selected {
		rules = append(rules, audit.NewRule(r, j.project.Modes[r.Mode]))
	}
	result, err := audit.Sessions(ctx, j.git, j.head, j.project, rules, j.options.Logs)
	if err != nil {
		return nil, err
	}
	j.sessions, j.diagnostics = result.Sessions, result.Diagnostics
	j.selected.Add(result.WorkflowRules...)
	j.notices = append(j.notices, result.Notices...)
	j.unjudged = append(j.unjudged, result.Problems...)
	j.leftOut += result.LeftOut
	return result.Findings, nil
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
	answers := map[string]condition.Result{}
	in := policy.Input{Base: c.Base, Head: policy.HeadFacts{Head: c.Head, Event: j.options.Event}, Changes: c.Changes, Now: j.options.now()}
	for i, v := range j.conditions.OnChange(ctx, in, facts) {
		answers[facts[i].ID] = v
	}
	return answers
}
