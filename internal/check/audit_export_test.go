package check

import (
	"context"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/policies"
)

// Auditor judges sessions by the rules of a workflow's phases.
type Auditor struct{ *auditor }

// NewAuditor is an auditor with the rules of phases, which are those of the
// phase alone if it has a name.
func NewAuditor(t *testing.T, d *workflow.Definition, phase string) Auditor {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.New(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{setting: setting{modes: bundle.Modes}}
	a := newAuditor("")
	a.engine = engine
	for _, p := range d.Phases {
		if phase == "" || p.Name == phase {
			a.rules = append(a.rules, j.phaseRules(p)...)
		}
	}
	return Auditor{a}
}

// Audit gives what it finds in all visits of a session.
func (a Auditor) Audit(ctx context.Context, s *session.Session) ([]finding.Finding, error) {
	_, err := a.visits(ctx, s, s.Visits())
	return a.findings, err
}

// Live gives what it finds first in a visit, as of now.
func (a Auditor) Live(ctx context.Context, s *session.Session, v session.Visit, now time.Time) (*finding.Finding, error) {
	return a.live(ctx, s, v, now)
}
