package audit

import (
	"context"
	"errors"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// Live evaluates the rules in order on the current visit as of now, and returns the
// first finding; nil if no rule fires. The error joins the rules that failed. Rules that
// the log does not suffice for are listed by [Auditor.NotEvaluable].
func (a *Auditor) Live(ctx context.Context, engine *policy.Engine, s *session.Session, v session.Visit, now time.Time) (*finding.Finding, error) {
	a.askConditions(ctx, s)
	loaded := func() (*policy.Engine, error) { return engine, nil }
	for _, r := range a.rulesFor(s, v) {
		f, err := a.live(ctx, loaded, r, s, v, now)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, errors.Join(a.failed()...)
}

// LiveAll evaluates all rules on the current visit as of now, except those for which skip
// is true, and returns a finding of each that fires. The policies are loaded if a rule needs
// them. The error joins the rules that failed; the findings of the others are there.
func (a *Auditor) LiveAll(
	ctx context.Context, engine func() (*policy.Engine, error), s *session.Session, v session.Visit, now time.Time, skip func(Rule) bool,
) ([]finding.Finding, error) {
	a.askConditions(ctx, s)
	var findings []finding.Finding
	for _, r := range a.rulesFor(s, v) {
		if skip(r) {
			continue
		}
		f, err := a.live(ctx, engine, r, s, v, now)
		if err != nil {
			return findings, err
		}
		if f != nil {
			findings = append(findings, *f)
		}
	}
	return findings, errors.Join(a.failed()...)
}

// live evaluates one rule; the finding is nil if it does not fire.
func (a *Auditor) live(
	ctx context.Context, engine func() (*policy.Engine, error), r Rule, s *session.Session, v session.Visit, now time.Time,
) (*finding.Finding, error) {
	m := r.measure
	m.Root = a.rootOf(s)
	metrics := s.Live(v, m, now)
	loaded, err := engine()
	if err != nil {
		return nil, err
	}
	violations, err := decide(ctx, loaded, r, s, v, metrics, nil)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		a.failures[r.ID] = err
	case len(violations) > 0:
		f := sessionFinding(r, s, v, metrics, violations[0])
		a.place(&f, r, s, startOf(s, v))
		return &f, nil
	case metrics.Incomplete != "":
		a.gaps.add(gap{r.ID, metrics.Incomplete, perVisit}, startOf(s, v))
	}
	return nil, nil //nolint:nilnil // most rules do not fire
}
