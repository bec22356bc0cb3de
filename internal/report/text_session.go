package report

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// fewTroubles is how many diagnostics of logs stand in a report that is not verbose.
const fewTroubles = 5

// logs tells what logs hold that could not be read.
func (i ink) logs(r *Report, verbose bool) []string {
	lost, odd := r.troubles()
	var lines []string
	if line := lost.lostLine(); line != "" {
		lines = append(lines, i.paint(purple, "logs:")+" "+line)
		lines = append(lines, i.diagnostics(lost.list, verbose)...)
	}
	if line := odd.oddLine(); line != "" && verbose {
		lines = append(lines, i.paint(strong, "logs:")+" "+line)
		lines = append(lines, i.diagnostics(odd.list, true)...)
	}
	return lines
}

func (i ink) diagnostics(list []Diagnostic, all bool) []string {
	shown := list
	if !all {
		shown = list[:min(len(list), fewTroubles)]
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
func (i ink) summary(r *Report) []string {
	lines := []string{i.paint(strong, r.summaryLine())}
	if tokens := r.tokensLine(); tokens != "" {
		lines = append(lines, tokens)
	}
	return lines
}
