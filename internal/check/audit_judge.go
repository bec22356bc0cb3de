package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
)

// auditor judges sessions. It remembers what it found, and of the sessions no
// more than a report shows.
type auditor struct {
	engine *policy.Engine
	rules  []sessionRule
	root   string // of the repository on this machine

	findings []finding.Finding
	unknown  map[unknown]*unknowns
	failures map[string]error // why rules have no verdict at all, by their ids
}

// unknown is why a rule could not be judged by some visits.
type unknown struct{ rule, why string }

// unknowns are those visits.
type unknowns struct {
	visits int
	first  session.Place
}

func newAuditor(root string) *auditor {
	return &auditor{root: root, unknown: map[unknown]*unknowns{}, failures: map[string]error{}}
}

// visits judges every stay of a session and returns how many findings each has.
func (a *auditor) visits(ctx context.Context, s *session.Session, visits []session.Visit) (map[int]int, error) {
	found := map[int]int{}
	for _, v := range visits {
		for _, r := range a.concerned(s, v) {
			findings, err := a.visit(ctx, r, s, v)
			if err != nil {
				return nil, err
			}
			found[v.Index] += len(findings)
			a.findings = append(a.findings, findings...)
		}
	}
	return found, nil
}

// concerned are the rules that are about a visit.
func (a *auditor) concerned(s *session.Session, v session.Visit) []sessionRule {
	var rules []sessionRule
	for _, r := range a.rules {
		if a.failures[r.ID] != nil {
			continue // it would fail again
		}
		concerned, unsaid := r.concerns(s, v)
		if unsaid != "" {
			a.leave(r, unsaid, placeOf(s, v))
		}
		if concerned {
			rules = append(rules, r)
		}
	}
	return rules
}

// visit judges one stay by one rule, over all its length.
func (a *auditor) visit(ctx context.Context, r sessionRule, s *session.Session, v session.Visit) ([]finding.Finding, error) {
	m := r.measure
	m.Root = a.rootOf(s)
	record := s.Audit(v, m)
	violations, err := ask(ctx, a.engine, r, s, v, record.Metrics)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		a.failures[r.ID] = fmt.Errorf("session %s: %w", s.ID, err)
		return nil, nil
	case len(violations) == 0 && record.Incomplete != "":
		// A count that may be too low has not shown that the rule holds.
		a.leave(r, record.Incomplete, placeOf(s, v))
		return nil, nil
	}
	findings := make([]finding.Finding, 0, len(violations))
	for _, violation := range violations {
		f := sessionFinding(r, s, v, record.Metrics, violation)
		at := placeOf(s, v)
		if first, ok := record.Reached(violation.Reached); ok {
			f.Session.FirstAt = first
			at = placeAt(v, first, at)
		}
		a.put(&f, r, at)
		findings = append(findings, f)
	}
	return findings, nil
}

// ask lets the policy decide.
func ask(ctx context.Context, engine *policy.Engine, r sessionRule, s *session.Session, v session.Visit, m session.Metrics) ([]policy.Violation, error) {
	in := policy.Input{
		Rule:    r.Rule.Info,
		Session: &policy.SessionFacts{ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, GitBranch: s.GitBranch},
		Visit:   &policy.VisitFacts{Index: v.Index, Start: v.Start, End: v.End, Open: v.Open},
		Metrics: &m,
	}
	if v.Phase != nil {
		in.Visit.Phase, in.Visit.Workflow = v.Phase.Name, v.Phase.Workflow
	}
	return engine.Decide(ctx, in)
}

// sessionFinding is a violation with all but its place.
func sessionFinding(r sessionRule, s *session.Session, v session.Visit, m session.Metrics, violation policy.Violation) finding.Finding {
	f := finding.Finding{
		Rule: r.ID, Name: r.Name, Mode: r.Mode, Level: r.Level,
		TriggerFiles: violation.TriggerFiles, Expected: violation.Expected, Related: violation.Related,
		Message: cmp.Or(violation.Message, r.Name),
		Body:    cmp.Or(r.Body, r.mode.Suggestion),
		Session: &finding.SessionDetails{
			Title: r.mode.Title,
			Occurrence: finding.Occurrence{
				ID: s.ID, Agent: s.Agent, Visit: v.Index,
				Peak: m.Count, PeakAt: m.At, Count: m.Count,
			},
			Evidence: finding.Evidence{
				Pattern: r.pattern(),
				Recent:  m.Events,
				Snapshot: finding.Snapshot{
					Count: m.Count, Threshold: r.limit(), Window: int64(r.measure.Within / time.Second),
					Start: m.Start, Now: m.At, Tokens: m.Tokens,
				},
			},
		},
	}
	if v.Phase != nil {
		f.Session.Phase = v.Phase.Name
	}
	return f
}

// put places a finding in the log, or at the rule if the log is outside the repository.
func (a *auditor) put(f *finding.Finding, r sessionRule, at session.Place) {
	at.Line = max(1, at.Line)
	if isInside(at.File) {
		f.Path, f.Line = at.File, at.Line
		f.TriggerFiles = append(f.TriggerFiles, at.File)
		return
	}
	f.Session.Log = at
	f.Path, f.Line = ConfigFile, 1
	if r.Tier == rule.ProjectTier {
		f.Path, f.Line = r.File, r.Line
	}
}

// rootOf is what a session's paths are told from: the repository where the
// session was in it, else where it was.
func (a *auditor) rootOf(s *session.Session) string {
	if isBelow(s.Cwd, a.root) {
		return a.root
	}
	return s.Cwd
}

// placeOf is where a log tells of a visit.
func placeOf(s *session.Session, v session.Visit) session.Place {
	switch {
	case v.Phase != nil:
		return v.Phase.Place
	case len(s.Sources) > 0:
		return session.Place{File: s.Sources[0].File, Line: 1}
	default:
		return session.Place{}
	}
}

// placeAt is where a log tells of what happened at an instant; at, where it does
// not.
func placeAt(v session.Visit, instant time.Time, at session.Place) session.Place {
	if i := slices.IndexFunc(v.Calls, func(c session.ToolCall) bool { return c.At.Equal(instant) }); i >= 0 {
		return v.Calls[i].Place
	}
	if i := slices.IndexFunc(v.Tokens, func(t session.Tokens) bool { return t.At.Equal(instant) }); i >= 0 {
		return v.Tokens[i].Place
	}
	return at
}

func (a *auditor) leave(r sessionRule, why string, at session.Place) {
	key := unknown{r.ID, why}
	if a.unknown[key] == nil {
		a.unknown[key] = &unknowns{first: at}
	}
	a.unknown[key].visits++
}

// failed is why rules have no verdict, in the order of their ids.
func (a *auditor) failed() []error {
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(a.failures)) {
		errs = append(errs, a.failures[id])
	}
	return errs
}

// untold says of each rule what it could not be judged by, and why.
func (a *auditor) untold() []error {
	var told []error
	keys := slices.SortedFunc(maps.Keys(a.unknown), func(x, y unknown) int {
		return cmp.Or(cmp.Compare(x.rule, y.rule), cmp.Compare(x.why, y.why))
	})
	for _, key := range keys {
		u := a.unknown[key]
		told = append(told, fmt.Errorf("rule %s: not evaluable in %s: %s; the first is at %s:%d",
			key.rule, report.Count(u.visits, "visit"), key.why, u.first.File, u.first.Line))
	}
	return told
}
