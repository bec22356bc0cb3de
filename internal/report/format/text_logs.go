package format

import (
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxLogProblems limits the diagnostics of logs in a report that is not verbose.
const maxLogProblems = 5

// logs lists the problems of logs; harmless ones only in a verbose report.
func (p painter) logs(r *report.Report, verbose bool) []plain.Text {
	lost, odd := r.LogProblems()
	var lines []plain.Text
	if line := lost.Line(); line != "" {
		lines = append(lines, wrap.Line(p.paint(yellow, "logs:")+" "+plain.Line(line), p.width, 2))
		lines = append(lines, p.diagnostics(lost.List, verbose)...)
	}
	if line := odd.Line(); line != "" && verbose {
		lines = append(lines, p.paint(strong, "logs:")+" "+plain.Line(line))
		lines = append(lines, p.diagnostics(odd.List, true)...)
	}
	return lines
}

// activity lists what the agents did in each session.
func (p painter) activity(r *report.Report) []plain.Text {
	var lines []plain.Text
	for _, line := range r.ActivityLines() {
		lines = append(lines, p.paint(faint, "session:")+" "+plain.Line(line))
	}
	return lines
}

// compared lists the figures before and now, if an earlier report was named.
func (p painter) compared(r *report.Report) []plain.Text {
	if r.Before == nil {
		return nil
	}
	lines := []plain.Text{p.paint(strong, "before and now:")}
	for _, c := range r.Compare(r.Before) {
		line := plain.Sprintf("  %s: %s → %s", c.Name, c.Before, c.Now)
		if c.Worse {
			line += p.paint(yellow, " (more)")
		}
		lines = append(lines, line)
	}
	return lines
}

// coverage lists what the hooks checked, if that was asked for.
func (p painter) coverage(r *report.Report, verbose bool) []plain.Text {
	total, sessions, more := r.CoverageLines(!verbose)
	if total == "" {
		return nil
	}
	lines := []plain.Text{p.paint(strong, "coverage:") + " " + plain.Line(total)}
	for _, s := range sessions {
		lines = append(lines, wrap.Line("  "+plain.Line(s.Session+": "+s.Line), p.width, 4))
		for _, gap := range s.Gaps {
			lines = append(lines, "    "+plain.Line(gap))
		}
		if s.More > 0 {
			lines = append(lines, plain.Sprintf("    and %d more", s.More))
		}
	}
	return append(lines, p.more(more)...)
}

func (p painter) diagnostics(list []fact.Diagnostic, all bool) []plain.Text {
	shown := list
	if !all {
		shown = list[:min(len(list), maxLogProblems)]
	}
	var lines []plain.Text
	for _, d := range shown {
		lines = append(lines, wrap.Line("  "+plain.Line(d.String()), p.width, 4))
	}
	return append(lines, p.more(len(list)-len(shown))...)
}

// summary returns the last lines of the report; the very last is the verdict.
func (p painter) summary(r *report.Report) []plain.Text {
	var lines []plain.Text
	if behind := r.BehindLine(); behind != "" {
		lines = append(lines, wrap.Line(plain.Line(behind), p.width, 2))
	}
	if tokens := r.TokensLine(); tokens != "" {
		lines = append(lines, wrap.Line(plain.Line(tokens), p.width, 2))
	}
	style := red
	switch {
	case r.Passed() && r.Summary.Rules == 0:
		style = yellow // nothing was checked
	case r.Passed():
		style = green
	}
	for _, line := range wrap.Line(plain.Line(r.Verdict()), p.width, 2).Split("\n") {
		lines = append(lines, p.paint(style, line))
	}
	return lines
}
