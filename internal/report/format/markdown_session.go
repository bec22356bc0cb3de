package format

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxSessionRows limits the table of sessions.
const maxSessionRows = 50

// markdownEvents lists a finding's recent events, nested below its entry.
func markdownEvents(s *finding.SessionDetails) []markdown.Text {
	lines := make([]markdown.Text, 0, len(s.Recent))
	for _, e := range s.Recent {
		lines = append(lines, "  - "+markdown.Code(report.EventLine(e)))
	}
	return lines
}

// markdownSessions returns a table of the sessions with findings.
func markdownSessions(r *report.Report) []markdown.Text {
	counts := r.FindingsBySession()
	var rows []markdown.Text
	left := 0
	for s := range r.EachSession() {
		n := counts[s.Key()]
		switch {
		case n == 0:
			continue
		case len(rows) == maxSessionRows:
			left++
			continue
		}
		var branch markdown.Text
		if s.Branch != "" {
			branch = markdown.Code(s.Branch)
		}
		rows = append(rows, markdown.Row(
			markdown.Code(report.ShortID(s.ID)), markdown.Line(s.Agent), branch, markdown.Line(report.Time(s.Start)),
			markdown.Sprintf("%d (%d failed)", s.Commands, s.Failed), markdown.Sprintf("%d", s.Edits), markdown.Line(report.InputAndOutput(s.Tokens)), markdown.Line(report.ShortCost(s.Cost)), markdown.Sprintf("%d", n),
		))
	}
	if len(rows) == 0 {
		return nil
	}
	lines := []markdown.Text{
		"", "| Session | Agent | Branch | Start | Commands | Edits | Tokens in + out | Cost | Findings |", "|---|---|---|---|--:|--:|--:|--:|--:|",
	}
	lines = append(lines, rows...)
	if left > 0 {
		lines = append(lines, "", markdown.Sprintf("and %d more with findings", left))
	}
	return lines
}

// markdownCompared returns a table of the figures before and now, if an earlier report was named.
func markdownCompared(r *report.Report) []markdown.Text {
	if r.Before == nil {
		return nil
	}
	lines := []markdown.Text{"", "| | Before | Now |", "|---|--:|--:|"}
	for _, c := range r.Compare(r.Before) {
		lines = append(lines, markdown.Row(markdown.Line(c.Name), markdown.Line(c.Before), markdown.Line(c.Now)))
	}
	return lines
}

// markdownCoverage lists what the hooks checked, if that was asked for.
func markdownCoverage(r *report.Report) []markdown.Text {
	total, sessions, more := r.CoverageLines(true)
	if total == "" {
		return nil
	}
	lines := []markdown.Text{markdown.Line(total)}
	if len(sessions) > 0 {
		lines = append(lines, "")
	}
	for _, s := range sessions {
		lines = append(lines, "- "+markdown.Line(s.Session+": "+s.Line))
		for _, gap := range s.Gaps {
			lines = append(lines, "  - "+markdown.Line(gap))
		}
		if s.More > 0 {
			lines = append(lines, markdown.Sprintf("  - and %d more", s.More))
		}
	}
	if more > 0 {
		lines = append(lines, markdown.Sprintf("- and %d more", more))
	}
	return lines
}

// markdownLogs lists the problems of logs that may have lost events.
func markdownLogs(r *report.Report) []markdown.Text {
	lost, _ := r.LogProblems()
	if lost.Count == 0 {
		return nil
	}
	lines := markdownItems([]string{lost.Line()})
	for _, d := range lost.List[:min(len(lost.List), maxLogProblems)] {
		where := report.Position(d.File, d.Line)
		lines = append(lines, placed(where, strings.TrimPrefix(d.String(), where+": ")))
	}
	if left := len(lost.List) - maxLogProblems; left > 0 {
		lines = append(lines, markdown.Sprintf("- and %d more", left))
	}
	return lines
}
