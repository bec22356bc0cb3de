package check

import (
	"context"
	"errors"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/session"
)

// live judges the visit that is going on, as of now, by the rules in order. The
// first that fires ends it. What the log left open is among the auditor's
// unknowns.
func (a *auditor) live(ctx context.Context, s *session.Session, v session.Visit, now time.Time) (*finding.Finding, error) {
	for _, r := range a.concerned(s, v) {
		m := r.measure
		m.Root = a.rootOf(s)
		metrics := s.Live(v, m, now)
		violations, err := ask(ctx, a.engine, r, s, v, metrics)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			a.failures[r.ID] = err
		case len(violations) > 0:
			f := sessionFinding(r, s, v, metrics, violations[0])
			a.put(&f, r, placeOf(s, v))
			return &f, nil
		case metrics.Incomplete != "":
			a.leave(r, metrics.Incomplete, placeOf(s, v))
		}
	}
	return nil, errors.Join(a.failed()...)
}
