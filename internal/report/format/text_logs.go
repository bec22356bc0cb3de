package format

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
)

// fewTroubles is how many diagnostics of logs stand in a report that is not verbose.
const maxLogProblems = 5

// logs tells what logs hold that could not be read.
func (i ink) logs(r *report.Report, verbose bool) []string {
	lost, odd := r.LogProblems()
	var lines []string
	if line := lost.Line(); line != "" {
		lines = append(lines, i.paint(purple, "logs:")+" "+line)
		lines = append(lines, i.diagnostics(lost.List, verbose)...)
	}
	if line := odd.Line(); line != "" && verbose {
		lines = append(lines, i.paint(strong, "logs:")+" "+line)
		lines = append(lines, i.diagnostics(odd.List, true)...)
	}
	return lines
}

func (i ink) diagnostics(list []session.Diagnostic, all bool) []string {
	shown := list
	if !all {
		shown = list[:min(len(list), maxLogProblems)]
	}
	var lines []string
	for _, d := range shown {
		lines = append(lines, "  "+finding.Visible(d.String()))
	}
	if left := len(list) - len(shown); left > 0 {
		lines = append(lines, i.paint(faint, fmt.Sprintf("  and %d more; --verbose lists them", left)))
	}
	return lines
}

// summary is the report's end.
func (i ink) summary(r *report.Report) []string {
	lines := []string{i.paint(strong, r.SummaryLine())}
	if tokens := r.TokensLine(); tokens != "" {
		lines = append(lines, tokens)
	}
	return lines
}
