package format

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxSessionRows limits the table of sessions.
const maxSessionRows = 50

// markdownEvents lists a finding's recent events, nested below its entry.
func markdownEvents(s *finding.SessionDetails) []string {
	lines := make([]string, 0, len(s.Recent))
	for _, e := range s.Recent {
		lines = append(lines, "  - "+codeSpan(finding.Visible(report.EventLine(e))))
	}
	return lines
}

// markdownSessions returns a table of the sessions with findings.
func markdownSessions(r *report.Report) []string {
	counts := r.FindingsBySession()
	var rows []string
	left := 0
	for _, s := range r.Sessions {
		n := counts[s.Key()]
		switch {
		case n == 0:
			continue
		case len(rows) == maxSessionRows:
			left++
			continue
		}
		branch := ""
		if s.Branch != "" {
			branch = markdownName(s.Branch)
		}
		cells := []string{
			markdownName(report.ShortID(s.ID)), markdownText(s.Agent), branch, report.Time(s.Start),
			fmt.Sprintf("%d (%d failed)", s.Commands, s.Failed), strconv.Itoa(s.Edits), report.InputAndOutput(s.Tokens), strconv.Itoa(n),
		}
		for i, c := range cells {
			cells[i] = cell.Replace(c)
		}
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	if len(rows) == 0 {
		return nil
	}
	lines := []string{
		"", "| Session | Agent | Branch | Start | Commands | Edits | Tokens in + out | Findings |", "|---|---|---|---|--:|--:|--:|--:|",
	}
	lines = append(lines, rows...)
	if left > 0 {
		lines = append(lines, "", fmt.Sprintf("and %d more with findings", left))
	}
	return lines
}

// markdownLogs lists the problems of logs that may have lost events.
func markdownLogs(r *report.Report) []string {
	lost, _ := r.LogProblems()
	if lost.Count == 0 {
		return nil
	}
	texts := []string{lost.Line()}
	for _, d := range lost.List[:min(len(lost.List), maxLogProblems)] {
		texts = append(texts, d.String())
	}
	lines := markdownItems(texts)
	if left := len(lost.List) - maxLogProblems; left > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", left))
	}
	return lines
}
