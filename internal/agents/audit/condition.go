package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// factsOf returns the facts about a session that policies and conditions read.
func factsOf(s *session.Session) policy.SessionFacts {
	return policy.SessionFacts{ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, GitBranch: s.GitBranch}
}

// askConditions evaluates the conditions of the rules on a session. A rule whose condition fails
// has no verdict.
func (a *Auditor) askConditions(ctx context.Context, s *session.Session) {
	a.answers = nil
	for _, r := range slices.Concat(a.rules, a.wholes, a.budgets.rules) {
		if r.holds == nil || a.failures[r.ID] != nil || !r.mayBeOf(s) {
			continue
		}
		answer := r.holds(ctx, factsOf(s))
		if answer.Err != nil && ctx.Err() == nil {
			a.failures[r.ID] = fmt.Errorf("session %s: %w", s.ID, answer.Err)
		}
		if a.answers == nil {
			a.answers = map[string]condition.Answer{}
		}
		a.answers[r.ID] = answer
	}
}

// concerns reports whether a rule is about a session, or may be.
func (a *Auditor) concerns(r Rule, s *session.Session) bool {
	answer, asked := a.answers[r.ID]
	return r.mayBeOf(s) && (!asked || answer.Holds || answer.Missing != "" || answer.Err != nil)
}

// appliesTo reports whether a rule applies to a visit of a session; missing names what the log
// would have to contain to decide that.
func (a *Auditor) appliesTo(r Rule, s *session.Session, v session.Visit) (yes bool, missing string) {
	yes, missing = r.appliesTo(s, v)
	if answer, asked := a.answers[r.ID]; yes && asked {
		return answer.Holds, answer.Missing
	}
	return yes, missing
}
