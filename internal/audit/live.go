package audit

import (
	"context"
	"errors"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Live evaluates the rules in order on the current visit as of now, and returns the
// first finding; nil if no rule fires. The error joins the rules that failed. Rules that
// the log does not suffice for are listed by [Auditor.NotEvaluable].
func (a *Auditor) Live(ctx context.Context, engine *policy.Engine, s *session.Session, v session.Visit, now time.Time) (*finding.Finding, error) {
	for _, r := range a.rulesFor(s, v) {
		m := r.measure
		m.Root = a.rootOf(s)
		metrics := s.Live(v, m, now)
		violations, err := decide(ctx, engine, r, s, v, metrics)
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
	}
	return nil, errors.Join(a.failed()...)
}
