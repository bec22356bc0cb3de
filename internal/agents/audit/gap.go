package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/report"
)

// gap is a reason for which a rule could not be checked on some visits, sessions or logs.
type gap struct {
	rule   string // id; empty: every rule
	reason string
	per    unit
}

// unit is a unit of counting the occurrences of a gap.
type unit string

const (
	perVisit   unit = "visit"
	perSession unit = "session"
	perLog     unit = "log"
)

// gaps counts the occurrences of each gap.
type gaps map[gap]*occurrences

type occurrences struct {
	count int
	first fact.Place
}

func (g gaps) add(key gap, at fact.Place) {
	if g[key] == nil {
		g[key] = &occurrences{first: at}
	}
	g[key].count++
}

const noPhases = "the log records no phases"

// skipSession records the rules that could not be checked on a session as a whole: it has no
// visit, or no phases for a rule that is limited to some. A rule that found nothing to look at
// has not shown that it holds.
func (a *Auditor) skipSession(s *session.Session, empty bool) {
	at := fact.Place{}
	if len(s.Sources) > 0 {
		at = fact.Place{File: s.Sources[0].File, Line: 1}
	}
	phaseless := noPhases
	for _, d := range s.Diagnostics {
		if d.Code == fact.UnknownPhases {
			phaseless = d.Message
		}
	}
	for _, r := range slices.Concat(a.rules, a.wholes) {
		switch {
		case a.failures[r.ID] != nil || !a.concerns(r, s):
		case empty:
			a.gaps.add(gap{r.ID, session.NoTimes, perSession}, at)
		case len(r.Phases) > 0 && len(s.Phases) == 0:
			a.gaps.add(gap{r.ID, phaseless, perSession}, at)
		}
	}
}

// skipLog records that a log which belongs to no session has lost events.
func (a *Auditor) skipLog(d fact.Diagnostic) {
	if d.Loss {
		a.gaps.add(gap{"", d.Message, perLog}, d.Place)
	}
}

// sorted returns the gaps in the order of rules and reasons.
func (g gaps) sorted() []gap {
	return slices.SortedFunc(maps.Keys(g), func(x, y gap) int {
		return cmp.Or(cmp.Compare(x.rule, y.rule), cmp.Compare(x.reason, y.reason), cmp.Compare(x.per, y.per))
	})
}

// errors lists, per rule and reason, what it could not be evaluated on.
func (g gaps) errors() []error {
	var errs []error
	for _, key := range g.sorted() {
		who := "rules about sessions"
		if key.rule != "" {
			who = "rule " + key.rule
		}
		found := g[key]
		errs = append(errs, fmt.Errorf("%s: could not be checked in %s: %s; the first is %s",
			who, report.Count(found.count, string(key.per)), key.reason, placeText(found.first)))
	}
	return errs
}

func placeText(p fact.Place) string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("at %s:%d", p.File, p.Line)
}

// countLeftOut counts the rules with a gap or a failure. Those that only an audit of all logs
// checks are elsewhere.
func (a *Auditor) countLeftOut(result *check.Sessions) {
	ids := map[string]bool{} // true: left out
	for key := range a.gaps {
		if key.rule != "" {
			ids[key.rule] = ids[key.rule] || key.reason != onlyAdded && key.reason != onlyUnit
			continue
		}
		for _, r := range slices.Concat(a.rules, a.wholes, a.budgets.rules, a.calls.rules) {
			ids[r.ID] = true
		}
	}
	for id := range a.failures {
		ids[id] = true
	}
	for id, left := range ids {
		switch {
		case !left:
			result.Elsewhere++
		case a.concluded[id]:
			result.Partly++
			fallthrough
		default:
			result.LeftOut++
		}
	}
}

// NotEvaluable lists the rules that could not be evaluated by [Auditor.Live], each with
// the reason, in byte order.
func (a *Auditor) NotEvaluable() []string {
	var texts []string
	for key := range a.gaps {
		texts = append(texts, fmt.Sprintf("rule %s: could not be checked: %s", key.rule, key.reason))
	}
	slices.Sort(texts)
	return texts
}
