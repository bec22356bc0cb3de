package format

import (
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
)

// maxLogProblems limits the diagnostics of logs in a report that is not verbose.
const maxLogProblems = 5

// logs lists the problems of logs; harmless ones only in a verbose report.
func (p painter) logs(r *report.Report, verbose bool) []string {
	lost, odd := r.LogProblems()
	var lines []string
	if line := lost.Line(); line != "" {
		lines = append(lines, p.paint(yellow, "logs:")+" "+line)
		lines = append(lines, p.diagnostics(lost.List, verbose)...)
	}
	if line := odd.Line(); line != "" && verbose {
		lines = append(lines, p.paint(strong, "logs:")+" "+line)
		lines = append(lines, p.diagnostics(odd.List, true)...)
	}
	return lines
}

func (p painter) diagnostics(list []session.Diagnostic, all bool) []string {
	shown := list
	if !all {
		shown = list[:min(len(list), maxLogProblems)]
	}
	var lines []string
	for _, d := range shown {
		lines = append(lines, "  "+finding.Visible(d.String()))
	}
	return append(lines, p.more(len(list)-len(shown))...)
}

// summary returns the last lines of the report; the very last is the verdict.
func (p painter) summary(r *report.Report) []string {
	var lines []string
	if tokens := r.TokensLine(); tokens != "" {
		lines = append(lines, tokens)
	}
	style := red
	if r.Passed() {
		style = green
	}
	return append(lines, p.paint(style, r.Verdict()))
}
