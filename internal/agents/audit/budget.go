package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/policies"
)

// budgets add up the tokens of several sessions.
type budgets struct {
	rules []Rule
	part  bool // there are more sessions than those of this audit
	spent map[spender]*spent
}

// spender is a day, a user or a branch, for one rule and what it counts.
type spender struct {
	rule string
	of   session.Quantity
	over string
}

// spent sums up the use of a spender.
type spent struct {
	metrics fact.Metrics // without events
	shares  []share
	gaps    map[string]fact.Place // why the sum may be too low
}

// share holds the use of one session.
type share struct {
	id, agent string
	used      int64 // tokens or money
	at        time.Time
	place     fact.Place
}

const (
	noUser    = "the session ran in no home directory, so its user is not known"
	noBranch  = "the log does not name the branch"
	onlyCost  = "the log states the cost of the session, not of its days"
	onlySums  = "the log holds only the sums of phases, not their days"
	onlyUnit  = `other units may have sessions of the same day, user or branch; want "rulecheck audit" of all logs`
	onlyAdded = `a check reads only the logs that a change adds; want "rulecheck audit"`
)

// whole evaluates the rules that count over the whole session.
func (a *Auditor) whole(ctx context.Context, engine *policy.Engine, s *session.Session, fresh *session.Fresh) (findings int, err error) {
	v, _ := s.Whole()
	for _, r := range a.wholes {
		applies, missing := a.appliesTo(r, s, v)
		switch {
		case a.failures[r.ID] != nil || s.IsEmpty():
			continue
		case missing != "":
			a.conclude(r, v, session.Record{}, report.Unknown, missing)
			a.gaps.add(gap{r.ID, missing, perSession}, startOf(s, v))
		case applies:
			r.measure.Fresh = fresh
			found, err := a.visit(ctx, engine, r, s, v)
			if err != nil {
				return findings, err
			}
			findings += len(found)
			a.findings = append(a.findings, found...)
		}
	}
	return findings, nil
}

// spend adds a session to the budgets of its days, its user and its branch.
func (a *Auditor) spend(s *session.Session) {
	v, summed := s.Whole()
	for _, r := range a.budgets.rules {
		applies, missing := a.appliesTo(r, s, v)
		user := report.UserOf(s.Cwd)
		switch {
		case missing == "" && !applies:
			continue
		case a.added != nil:
			missing = onlyAdded
		case a.budgets.part:
			missing = onlyUnit
		case s.IsEmpty() || r.NeedsTimes() && v.Start.IsZero():
			missing = session.NoTimes
		case r.over() == policies.OverUser && user == "":
			missing = noUser
		case r.over() == policies.OverBranch && s.GitBranch == "":
			missing = noBranch
		}
		if missing != "" {
			a.gaps.add(gap{r.ID, missing, perSession}, startOf(s, v))
			continue
		}
		parts := map[string][]session.Tokens{user: v.Tokens}
		switch r.over() {
		case policies.OverDay:
			parts = byDay(v)
		case policies.OverBranch:
			parts = map[string][]session.Tokens{s.GitBranch: v.Tokens}
		}
		for over, tokens := range parts {
			part := v
			part.Tokens, part.Whole = tokens, !r.NeedsTimes()
			r.measure.Price = a.priceOf(s)
			record := s.Audit(part, r.measure)
			switch {
			case r.over() != policies.OverDay:
			case summed:
				record.Incomplete = cmp.Or(record.Incomplete, onlySums)
			case len(parts) > 1 && r.measure.Of == session.Cost && slices.ContainsFunc(v.Tokens, func(t session.Tokens) bool { return t.Included }):
				record.Incomplete = cmp.Or(record.Incomplete, onlyCost)
			}
			a.budgets.of(spender{r.ID, r.measure.Of, over}).add(s, part, record)
		}
	}
}

// byDay divides the tokens of a session by their days.
func byDay(v session.Visit) map[string][]session.Tokens {
	days := map[string][]session.Tokens{dayOf(v.Start): nil} // one that records none, too
	for _, t := range v.Tokens {
		if !t.At.IsZero() {
			days[dayOf(t.At)] = append(days[dayOf(t.At)], t)
		}
	}
	return days
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func (b *budgets) of(key spender) *spent {
	if b.spent[key] == nil {
		b.spent[key] = &spent{metrics: fact.Metrics{Of: string(key.of), Over: key.over}, gaps: map[string]fact.Place{}}
	}
	return b.spent[key]
}

// add adds what a session used.
func (p *spent) add(s *session.Session, v session.Visit, record session.Record) {
	if record.Incomplete != "" {
		p.gaps[record.Incomplete] = startOf(s, v)
	}
	if record.Count == 0 {
		return
	}
	m := &p.metrics
	m.Count = fact.SaturatedSum(m.Count, record.Count)
	if record.Tokens != nil {
		if m.Tokens == nil {
			m.Tokens = &fact.TokenCount{}
		}
		m.Tokens.Add(*record.Tokens)
	}
	at := v.Tokens[0]
	p.shares = append(p.shares, share{s.ID, s.Agent, record.Count, at.At, at.Place})
	if m.Start.IsZero() || !at.At.IsZero() && at.At.Before(m.Start) {
		m.Start = at.At
	}
	if end := v.Tokens[len(v.Tokens)-1].At; end.After(m.End) {
		m.End = end
	}
}

// finish evaluates the budgets of several sessions, after all of them.
func (a *Auditor) finish(ctx context.Context, engine func() (*policy.Engine, error)) error {
	for _, r := range a.budgets.rules {
		keys := slices.DeleteFunc(slices.Collect(maps.Keys(a.budgets.spent)), func(k spender) bool { return k.rule != r.ID || k.of != r.measure.Of })
		slices.SortFunc(keys, func(x, y spender) int { return cmp.Compare(x.over, y.over) })
		for _, key := range keys {
			compiled, err := engine()
			if err != nil {
				return err
			}
			if err := a.decideBudget(ctx, compiled, r, a.budgets.spent[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// amount writes what was counted, with its unit.
func (r Rule) amount(n int64) string {
	if r.measure.Of == session.Cost {
		return money.USD(n).String()
	}
	return fmt.Sprintf("%d tokens", n)
}

// decideBudget evaluates one budget. Its finding is at the session that used most.
func (a *Auditor) decideBudget(ctx context.Context, engine *policy.Engine, r Rule, p *spent) error {
	slices.SortFunc(p.shares, func(x, y share) int { return cmp.Or(cmp.Compare(y.used, x.used), cmp.Compare(x.id, y.id)) })
	most := share{}
	if len(p.shares) > 0 {
		most = p.shares[0]
	}
	m := p.metrics
	m.Distinct = int64(len(p.shares))
	for _, used := range p.shares[:min(len(p.shares), 5)] {
		m.Events = append(m.Events, fact.Event{At: used.at, Text: fmt.Sprintf("session %s: %s", used.id, r.amount(used.used))})
	}
	slices.SortStableFunc(m.Events, func(x, y fact.Event) int { return x.At.Compare(y.At) })
	s := &session.Session{ID: most.id, Agent: most.agent, Sources: []session.Source{{File: most.place.File}}}
	v := session.Visit{Start: m.Start, End: m.End}
	violations, err := decide(ctx, engine, r, s, v, m, nil)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		a.failures[r.ID] = errors.Join(a.failures[r.ID], fmt.Errorf("%s: %w", m.Over, err))
	case len(violations) == 0 && len(p.gaps) > 0: // a sum that may be too low has not shown that the budget holds
		for reason, at := range p.gaps {
			a.gaps.add(gap{r.ID, reason, unit(r.over())}, at)
		}
	default:
		a.concluded[r.ID] = true
	}
	for _, violation := range violations {
		f := sessionFinding(r, s, v, m, violation)
		a.place(&f, r, s, most.place)
		a.findings = append(a.findings, f)
	}
	return nil
}
