package audit

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// All returns the findings in all visits of a session.
func (a *Auditor) All(ctx context.Context, engine *policy.Engine, s *session.Session) ([]finding.Finding, error) {
	_, err := a.session(ctx, engine, s, s.Visits(), nil)
	return a.findings, err
}

// Denied returns the findings of rules about tool calls in a session.
func (a *Auditor) Denied(ctx context.Context, engine *policy.Engine, s *session.Session) ([]finding.Finding, error) {
	err := a.denied(ctx, engine, s, s.Visits(), map[int]int{})
	return a.findings, err
}
