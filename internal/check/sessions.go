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
	Rules   []*rule.Rule // whose condition holds for the change
	// Change is the change since the usual base: the logs that it adds are audited. Nil if
	// that base is missing: all logs are.
	Change *diff.Changeset
	Staged map[string]bool // the files that the commit changes; nil: all
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
	rules, excluded := r.sessionRules(ctx, changes)
	if len(rules) == 0 && (!r.Logs || r.Agents == nil) {
		return Sessions{Problems: excluded.problems, LeftOut: excluded.rules}, nil
	}
	if r.Agents == nil {
		excluded.problems = append(excluded.problems, finding.Problem{Code: report.NotEvaluated, Message: "rules about sessions cannot be checked: the run reads no logs of agents"})
		return Sessions{Problems: excluded.problems, LeftOut: excluded.rules + len(rules)}, nil
	}
	of := SessionCheck{Head: r.head, Project: r.project, Rules: rules}
	if usual := r.usual(changes); usual.missing == nil {
		of.Change, of.Staged = &usual.Changeset, usual.staged
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
// change since the usual base, and those whose condition has no answer.
func (r *run) sessionRules(ctx context.Context, changes []*change) (rules []*rule.Rule, excluded unevaluated) {
	about := slices.DeleteFunc(slices.Clone(r.selected.Rules), func(of *rule.Rule) bool { return !r.aboutSessions(of) })
	if len(about) == 0 {
		return nil, excluded
	}
	usual := r.usual(changes)
	var conditions map[string]condition.Answer
	if usual.missing == nil {
		sources := establish.NewSources(ctx, r.decider.Details, usual.Changeset, r.decider.Pending)
		conditions = r.decider.Conditions(ctx, about, usual.Changeset, sources)
	}
	for _, of := range about {
		answer := condition.Answer{Holds: true}
		if of.Conditional() && usual.missing != nil {
			answer = condition.Answer{Err: usual.missing}
		} else if of.Conditional() {
			answer = conditions[of.ID]
		}
		switch {
		case answer.Err != nil:
			excluded.problems = append(excluded.problems, setup.NotEvaluated(answer.Err))
			excluded.rules++
		case answer.Holds:
			rules = append(rules, of)
		}
	}
	return rules, excluded
}
