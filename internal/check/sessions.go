package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Agents gives a check the sessions and workflows of agents.
type Agents interface {
	setup.Agents

	// Sessions audits the sessions whose logs are part of the repository.
	Sessions(ctx context.Context, engine diff.Engine, of SessionCheck) (Sessions, error)
}

// SessionCheck is the rules about sessions of one check, and the change that it is about.
type SessionCheck struct {
	Head    diff.Head
	Project *setup.Project
	Rules   []*rule.Rule      // whose condition holds for the change, or depends on the session
	Facts   *condition.Change // of the change, for conditions; nil: none is needed, or that base is missing
	// Change is the change since the usual base: the logs that it adds are audited. Nil if
	// that base is missing: all logs are.
	Change *diff.Changeset
	Staged map[string]bool // the files that the commit changes; nil: all
	// PullRequest is the URL of the change, as a CI system provides it; empty: it does not.
	PullRequest string
}

// Sessions is the result of an audit.
type Sessions struct {
	Findings    []finding.Finding
	Rows        []report.Session
	Diagnostics []fact.Diagnostic // of logs that belong to no session
	Notices     []string
	Problems    []finding.Problem // of the workflow, and of rules without a verdict
	LeftOut     int               // rules without a verdict on some or all of what they are about
	Partly      int               // those of them with a verdict on some
	Elsewhere   int               // rules that only an audit of all logs checks
}

// auditSessions audits the sessions whose logs are part of the repository, by the rules
// whose condition holds for the change.
func (r *run) auditSessions(ctx context.Context, changes []*change) (Sessions, error) {
	if r.NoSessions {
		return Sessions{}, nil
	}
	rules, facts, excluded := r.sessionRules(ctx, changes)
	if len(rules) == 0 && (!r.Logs || r.Agents == nil) {
		return Sessions{Problems: excluded.problems, LeftOut: excluded.rules}, nil
	}
	if r.Agents == nil {
		excluded.problems = append(excluded.problems, finding.Problem{Code: report.NotEvaluated, Message: "rules about sessions cannot be checked: the run reads no logs of agents"})
		return Sessions{Problems: excluded.problems, LeftOut: excluded.rules + len(rules)}, nil
	}
	of := SessionCheck{Head: r.head, Project: r.project, Rules: rules, Facts: facts}
	if usual := r.usual(changes); usual.missing == nil {
		of.Change, of.Staged = &usual.Changeset, usual.staged
		if r.CI != nil {
			of.PullRequest = r.CI.PullRequestURL()
		}
	}
	result, err := r.Agents.Sessions(ctx, r.engine, of)
	result.Problems = append(excluded.problems, result.Problems...)
	result.LeftOut += excluded.rules
	return result, err
}

// usual returns the change since the usual base.
func (r *run) usual(changes []*change) *change {
	return changes[slices.IndexFunc(changes, func(c *change) bool { return c.base == r.baseID(diff.MergeBase) })]
}

// sessionRules returns the selected rules about sessions whose condition holds for the
// change since the usual base, or depends on the session, and those whose condition has no answer.
// The facts of the change are for conditions that depend on the session.
func (r *run) sessionRules(ctx context.Context, changes []*change) (rules []*rule.Rule, facts *condition.Change, excluded unevaluated) {
	about := slices.DeleteFunc(slices.Clone(r.selected.Rules), func(of *rule.Rule) bool { return !r.aboutSessions(of) })
	var conditional []rule.Info
	for _, of := range about {
		if of.Conditional() {
			conditional = append(conditional, of.Info)
		}
	}
	if len(conditional) == 0 {
		return about, nil, excluded
	}
	usual, set := r.usual(changes), r.project.SessionConditions
	if usual.missing == nil {
		sources := establish.NewSources(ctx, r.decider.Details, usual.Changeset, r.decider.Pending)
		facts = set.On(ctx, r.decider.facts(usual.Changeset), sources, conditional)
	}
	conditional = slices.DeleteFunc(conditional, func(of rule.Info) bool { return set.ReadsSession(of.ID) })
	answers := map[string]condition.Answer{}
	if facts != nil {
		for i, answer := range facts.Answers(ctx, conditional) {
			answers[conditional[i].ID] = answer
		}
	}
	for _, of := range about {
		answer := condition.Answer{Holds: true}
		switch ofSession := set.ReadsSession(of.ID); {
		case !of.Conditional(), ofSession && (facts != nil || !set.NeedsChange(of.ID)):
		case facts == nil:
			answer = condition.Answer{Err: usual.missing}
		default:
			answer = answers[of.ID]
		}
		switch {
		case answer.Err != nil:
			excluded.problems = append(excluded.problems, setup.NotEvaluated(answer.Err))
			excluded.rules++
		case answer.Holds:
			rules = append(rules, of)
		}
	}
	return rules, facts, excluded
}
