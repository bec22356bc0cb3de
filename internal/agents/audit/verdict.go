package audit

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/report"
)

// conclude keeps the result of a rule on a visit.
func (a *Auditor) conclude(r Rule, v session.Visit, record session.Record, result report.Outcome, reason string) *report.VisitResult {
	verdict := report.VisitResult{Visit: v.Index, Rule: r.ID, Mode: r.Mode, Level: r.Level, Result: result, Reason: reason, Counts: string(r.measure.Of), Limit: r.limit(), Window: r.window()}
	if r.measure.Of != "" && record.Subjects != nil {
		count := record.Count
		verdict.Peak, verdict.PeakAt = &count, record.At
	}
	a.verdicts = append(a.verdicts, verdict)
	if result != report.Unknown {
		a.concluded[r.ID] = true
	}
	return &a.verdicts[len(a.verdicts)-1]
}

// verdictsOf returns the results of all rules on a session, those included that could not be
// evaluated because it has no phases or no times.
func (a *Auditor) verdictsOf(s *session.Session, visits []session.Visit) []report.VisitResult {
	for _, r := range slices.Concat(a.rules, a.wholes) {
		switch {
		case !a.concerns(r, s):
		case a.failures[r.ID] != nil:
			a.conclude(r, session.Visit{}, session.Record{}, report.Unknown, a.failures[r.ID].Error())
		case len(visits) == 0:
			a.conclude(r, session.Visit{}, session.Record{}, report.Unknown, session.NoTimes)
		case len(r.Phases) > 0 && len(s.Phases) == 0:
			a.conclude(r, session.Visit{}, session.Record{}, report.Unknown, noPhases)
		}
	}
	return a.verdicts
}
