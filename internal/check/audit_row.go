package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
)

// rowOf is what a report shows of a session; found says how many findings each
// of its visits has.
func rowOf(s *session.Session, visits []session.Visit, found map[int]int) report.Session {
	row := report.Session{
		ID: s.ID, Agent: s.Agent, Branch: s.GitBranch, Start: s.Start, End: s.End, Prompts: len(s.Prompts), Diagnostics: s.Diagnostics,
		Tokens: session.Sum(s.Tokens), Visits: make([]report.Visit, 0, len(visits)),
	}
	row.Commands, row.Failed, row.Edits = deeds(s.Calls)
	for _, source := range s.Sources {
		row.Logs = append(row.Logs, source.File)
	}
	for _, v := range visits {
		visit := report.Visit{Index: v.Index, Start: v.Start, End: v.End, Open: v.Open, Tokens: session.Sum(v.Tokens), Findings: found[v.Index]}
		if v.Phase != nil {
			visit.Phase, visit.Workflow = v.Phase.Name, v.Phase.Workflow
			if t := v.Phase.Totals; t != nil {
				visit.Tokens = *t
			}
		}
		visit.Commands, _, visit.Edits = deeds(v.Calls)
		row.Visits = append(row.Visits, visit)
	}
	return row
}

// deeds counts the commands that were run, those of them that failed, and the
// edits that were applied.
func deeds(calls []session.ToolCall) (commands, failed, edits int) {
	for _, c := range calls {
		switch {
		case !c.Done():
		case c.Kind == session.Command:
			commands++
			if c.Status == session.Error {
				failed++
			}
		case c.Kind == session.FileEdit:
			edits += max(1, len(c.Paths))
		}
	}
	return commands, failed, edits
}

// timelineOf is every event of a session that a report draws, in time order.
func timelineOf(s *session.Session) []report.Moment {
	moments := make([]report.Moment, 0, len(s.Calls)+len(s.Tokens)+len(s.Prompts))
	for _, c := range s.Calls {
		text := c.Command
		if c.Kind != session.Command {
			text = strings.TrimSpace(c.Name + " " + strings.Join(c.Paths, " "))
		}
		moments = append(moments, report.Moment{
			At: c.At, Kind: string(c.Kind), Text: mask.Excerpt(text), Failed: c.Status == session.Error, Log: c.File, Line: c.Line,
		})
	}
	for _, t := range s.Tokens {
		moments = append(moments, report.Moment{
			At: t.At, Kind: "tokens", Tokens: t.TokenCount, Log: t.File, Line: t.Line,
		})
	}
	for _, p := range s.Prompts {
		moments = append(moments, report.Moment{At: p.At, Kind: "prompt", Log: p.File, Line: p.Line})
	}
	moments = slices.DeleteFunc(moments, func(m report.Moment) bool { return m.At.IsZero() })
	slices.SortStableFunc(moments, func(a, b report.Moment) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line))
	})
	return moments
}
