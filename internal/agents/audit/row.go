package audit

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/report"
)

// rowOf returns a session's row in the report; findings counts the findings of each
// visit by its index.
func rowOf(s *session.Session, visits []session.Visit, findings map[int]int) report.Session {
	row := report.Session{
		ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Parent: s.Parent, Branch: s.GitBranch, Start: s.Start, End: s.End, Prompts: len(s.Prompts), Diagnostics: s.Diagnostics,
		Tokens: tokensOf(s), Visits: make([]report.Visit, 0, len(visits)),
	}
	for _, d := range s.Diagnostics {
		switch d.Code { //nolint:exhaustive // the others concern no calls
		case fact.Opaque:
			row.Opaque += d.Count
		case fact.UnknownTool:
			row.UnknownTools += d.Count
		}
	}
	row.Decisions = decisionsOf(s)
	row.Commands, row.Failed, row.Edits = countActions(s.Calls)
	for _, source := range s.Sources {
		row.Logs = append(row.Logs, source.File)
	}
	for _, v := range visits {
		visit := report.Visit{Index: v.Index, Start: v.Start, End: v.End, Open: v.Open, Tokens: session.Sum(v.Tokens), Findings: findings[v.Index]}
		if v.Phase != nil {
			visit.Phase, visit.Workflow = v.Phase.Name, v.Phase.Workflow
			if t := v.Phase.Totals; t != nil {
				visit.Tokens = *t
			}
		}
		visit.Commands, _, visit.Edits = countActions(v.Calls)
		row.Visits = append(row.Visits, visit)
	}
	return row
}

// tokensOf returns the tokens of a whole session: of its calls, or of its phases if the log
// holds only their sums. None are zero tokens only if the log would record them.
func tokensOf(s *session.Session) fact.TokenCount {
	if len(s.Tokens) > 0 {
		return session.Sum(s.Tokens)
	}
	sum, some := fact.TokenCount{}, false
	for i := range s.Phases {
		if t := s.Phases[i].Totals; t != nil {
			sum.Add(*t)
			some = true
		}
	}
	if !some && s.TokensKnown {
		zero := func() *int64 { return new(int64) }
		sum = fact.TokenCount{Input: zero(), Output: zero(), CacheRead: zero(), CacheWrite: zero()}
	}
	return sum
}

// countActions counts the commands that ran, those of them that failed, and the edits
// that were applied.
func countActions(calls []session.ToolCall) (commands, failed, edits int) {
	for _, c := range calls {
		switch {
		case !c.Done():
		case c.Kind == fact.Command:
			commands++
			if c.Status == fact.Error {
				failed++
			}
		case c.Kind == fact.FileEdit:
			edits += max(1, len(c.Paths))
		}
	}
	return commands, failed, edits
}

// timelines makes timelines of sessions in memory that it uses again.
type timelines struct {
	excerpts *memo[string]
	moments  []report.Moment
}

// of returns the events of a session that a report draws, in order of time, and then its uses of tokens.
func (t *timelines) of(s *session.Session) report.Timeline {
	moments := t.moments[:0]
	for i := range s.Calls {
		if c := &s.Calls[i]; !c.At.IsZero() {
			moments = append(moments, report.Moment{
				At: c.At, Kind: string(c.Kind), Text: t.excerpts.get(lineOf(c)), Failed: c.Status == fact.Error, Log: c.File, Line: c.Line,
			})
		}
	}
	for _, p := range s.Prompts {
		if !p.At.IsZero() {
			moments = append(moments, report.Moment{At: p.At, Kind: "prompt", Log: p.File, Line: p.Line})
		}
	}
	slices.SortStableFunc(moments, func(a, b report.Moment) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line))
	})
	for i := range s.Tokens { // they are sorted
		if use := &s.Tokens[i]; !use.At.IsZero() {
			moments = append(moments, report.Moment{At: use.At, Kind: "tokens", Used: use.Used(), Cached: use.Cached()})
		}
	}
	t.moments = moments
	return report.NewTimeline(moments...)
}
