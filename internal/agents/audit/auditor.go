package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/price"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Auditor evaluates rules on sessions and collects the findings. It keeps nothing of
// the sessions themselves.
type Auditor struct {
	rules   []Rule // about visits
	wholes  []Rule // about whole sessions
	budgets budgets
	calls   calls
	root    string // of the repository on this machine
	others  []gitfile.WorkTree
	added   Added // what findings are limited to; nil: nothing
	belongs *belonging
	prices  *price.Table // nil: no audit asks for costs
	// covered are the verdicts of hooks on the calls of the session; nil: not asked for.
	covered []coverage.Call

	verdicts  []report.VisitResult // of the session
	concluded map[string]bool      // the rules with a verdict on a visit

	findings []finding.Finding
	gaps     gaps
	copied   copied
	exists   *memo[bool] // whether the repository has a file
	notices  []string
	// hooksOnly are the reasons for which rules in phases of workflows are not checked.
	hooksOnly []error

	failures map[string]error            // why rules have no verdict at all, by their ids
	answers  map[string]condition.Answer // of conditions on the session, by the ids of rules
}

// New returns an auditor of sessions in the repository at root.
func New(root string, rules []Rule) *Auditor {
	a := &Auditor{root: root, gaps: gaps{}, failures: map[string]error{}, concluded: map[string]bool{}, budgets: budgets{spent: map[spender]*spent{}}}
	a.exists = newMemo(func(name string) bool { return hasFile(root, name) })
	for _, r := range rules {
		for _, part := range r.parts() {
			list := &a.rules
			switch {
			case part.mode.Tool():
				list = &a.calls.rules
			case part.over() == policies.OverSession:
				list = &a.wholes
			case part.over() != "":
				list = &a.budgets.rules
			}
			*list = append(*list, part)
		}
	}
	return a
}

// session evaluates the visits of a session, or those that its fresh events belong to,
// and returns the number of findings of each visit by its index.
func (a *Auditor) session(ctx context.Context, engine *policy.Engine, s *session.Session, visits []session.Visit, fresh *session.Fresh) (map[int]int, error) {
	counts := map[int]int{}
	a.skipSession(s, len(visits) == 0)
	for _, v := range visits {
		if fresh != nil && !v.Open && v.End.Before(fresh.Since) {
			continue
		}
		for _, r := range a.rulesFor(s, v) {
			r.measure.Fresh = fresh
			findings, err := a.visit(ctx, engine, r, s, v)
			if err != nil {
				return nil, err
			}
			counts[v.Index] += len(findings)
			a.findings = append(a.findings, findings...)
		}
	}
	whole, err := a.whole(ctx, engine, s, fresh)
	if len(visits) > 0 {
		counts[visits[0].Index] += whole
	}
	a.spend(s)
	return counts, err
}

// rulesFor returns the rules that apply to a visit.
func (a *Auditor) rulesFor(s *session.Session, v session.Visit) []Rule {
	var rules []Rule
	for _, r := range a.rules {
		if a.failures[r.ID] != nil {
			continue // it would fail again
		}
		applies, missing := a.appliesTo(r, s, v)
		if missing != "" {
			a.conclude(r, v, session.Record{}, report.Unknown, missing)
			a.gaps.add(gap{r.ID, missing, perVisit}, startOf(s, v))
		}
		if applies {
			rules = append(rules, r)
		}
	}
	return rules
}

// visit evaluates one rule on one visit as a whole.
func (a *Auditor) visit(ctx context.Context, engine *policy.Engine, r Rule, s *session.Session, v session.Visit) ([]finding.Finding, error) {
	m := r.measure
	m.Root, m.Price, m.Starts = a.rootOf(s), a.priceOf(s), profile.StartsSubagent
	record := s.Audit(v, m)
	facts := a.coverageOf(r, s, v)
	violations, err := decide(ctx, engine, r, s, v, record.Metrics, facts)
	if err == nil && len(violations) == 0 && facts != nil && facts.Unknown > 0 {
		record.Incomplete, err = a.undecided(ctx, engine, r, s, v, *facts)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		a.failures[r.ID] = fmt.Errorf("session %s: %w", s.ID, err)
		return nil, nil
	case len(violations) == 0 && record.Incomplete != "":
		// A count that may be too low has not shown that the rule holds.
		a.gaps.add(gap{r.ID, record.Incomplete, perVisit}, startOf(s, v))
		a.conclude(r, v, record, report.Unknown, record.Incomplete)
		return nil, nil
	case len(violations) == 0:
		a.conclude(r, v, record, report.Held, "")
		return nil, nil
	}
	findings := make([]finding.Finding, 0, len(violations))
	for _, violation := range violations {
		f := sessionFinding(r, s, v, record.Metrics, violation)
		at := startOf(s, v)
		if first, ok := record.Reached(violation.Reached); ok {
			f.Session.FirstAt = first
		}
		if reached, ok := record.PlaceOf(violation.Reached); ok {
			at = reached
		}
		if c := a.firstUnchecked(r, s, v); c != nil {
			f.Session.FirstAt, at = c.At, c.Place
		}
		a.place(&f, r, s, at)
		findings = append(findings, f)
	}
	a.conclude(r, v, record, report.Fired, "").FirstAt = findings[0].Session.FirstAt
	return findings, nil
}

// decide asks the policy of a rule's mode for its violations.
func decide(ctx context.Context, engine *policy.Engine, r Rule, s *session.Session, v session.Visit, m fact.Metrics, covered *fact.Coverage) ([]policy.Violation, error) {
	return engine.Decide(ctx, r.input(s, v, m, covered))
}

// input returns the facts about a visit that policies see.
func (r Rule) input(s *session.Session, v session.Visit, m fact.Metrics, covered *fact.Coverage) policy.Input {
	facts := factsOf(s)
	in := policy.Input{
		Coverage: covered,
		Rule:     r.Info,
		Session:  &facts,
		Visit:    &policy.VisitFacts{Index: v.Index, Start: v.Start, End: v.End, Open: v.Open},
		Metrics:  &m,
	}
	if v.Phase != nil {
		in.Visit.Phase, in.Visit.Workflow = v.Phase.Name, v.Phase.Workflow
	}
	return in
}

// sessionFinding makes a finding of a violation, without its place.
func sessionFinding(r Rule, s *session.Session, v session.Visit, m fact.Metrics, violation policy.Violation) finding.Finding {
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
					Count: m.Count, Threshold: r.limit(), Window: r.window(),
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

// place sets a finding's place: the line of the log, or the rule's own if the log is
// not part of the repository.
func (a *Auditor) place(f *finding.Finding, r Rule, s *session.Session, at fact.Place) {
	at.Line = max(1, at.Line)
	f.Unbrought = a.belongs != nil && !a.belongs.isBrought(s)
	if isInside(at.File) {
		f.Path, f.Line = at.File, at.Line
		f.TriggerFiles = append(f.TriggerFiles, a.added.trigger(s, at.File))
		return
	}
	f.Session.Log = at
	f.Path, f.Line = setup.ConfigFile, 1
	if r.Tier == rule.ProjectTier {
		f.Path, f.Line = r.File, r.Line
	}
}

// rootOf returns the directory that a session's paths are relative to: the repository if
// the session ran inside it, or, on another machine, the directory that holds the same files; else the
// session's working directory.
func (a *Auditor) rootOf(s *session.Session) string {
	return cmp.Or(Logs{Others: a.others}.rootOf(s.Cwd, a.root), a.copyOf(s), s.Cwd)
}

// startOf returns the place in the log where a visit starts.
func startOf(s *session.Session, v session.Visit) fact.Place {
	switch {
	case v.Phase != nil && v.Phase.File != "":
		return v.Phase.Place
	case len(s.Sources) > 0:
		return fact.Place{File: s.Sources[0].File, Line: 1}
	default:
		return fact.Place{}
	}
}

// failed returns why rules have no verdict, in the order of their ids.
func (a *Auditor) failed() []error {
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(a.failures)) {
		errs = append(errs, a.failures[id])
	}
	return errs
}
