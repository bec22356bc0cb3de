package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// maxSessionRows is how many sessions a table for people lists.
const maxSessionRows = 50

// markdownEvents are a finding's recent events, as items below its own.
func markdownEvents(s *finding.Session) []string {
	lines := make([]string, 0, len(s.Recent))
	for _, e := range s.Recent {
		lines = append(lines, "  - "+codeSpan(finding.Visible(eventLine(e))))
	}
	return lines
}

// markdownSessions is a table of the sessions in which something was found.
func markdownSessions(r *Report) []string {
	counts := bySession(r.Findings)
	var rows []string
	left := 0
	for _, s := range r.Sessions {
		n := counts[sessionKey{s.Agent, s.ID}]
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
			markdownName(shortID(s.ID)), markdownText(s.Agent), branch, instant(s.Start),
			fmt.Sprintf("%d (%d failed)", s.Commands, s.Failed), strconv.Itoa(s.Edits), spent(s.Tokens), strconv.Itoa(n),
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
		lines = append(lines, "", fmt.Sprintf("and %s more with findings", Count(left, "session")))
	}
	return lines
}

// spent is what went into a model and came out of it; unknown where a log does not say.
func spent(t finding.Tokens) string {
	if t.Input == nil || t.Output == nil {
		return "unknown"
	}
	return thousands(*t.Input + *t.Output)
}

// markdownLogs is what logs hold that could not be read.
func markdownLogs(r *Report) []string {
	lost, _ := r.troubles()
	if lost.count == 0 {
		return nil
	}
	texts := []string{lost.lostLine()}
	for _, d := range lost.list[:min(len(lost.list), fewTroubles)] {
		texts = append(texts, d.String())
	}
	lines := markdownItems(texts)
	if left := len(lost.list) - fewTroubles; left > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", left))
	}
	return lines
}
