package html

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
)

// decisionsNode renders what the hooks decided, if a journal is among the logs.
func decisionsNode(r *report.Report) g.Node {
	line := r.Decisions().Line()
	if line == "" {
		return nil
	}
	return section("h-decisions", "Decisions of hooks", "", h.P(text(line)))
}

// coverageNode renders what the hooks checked, if that was asked for.
func coverageNode(r *report.Report) g.Node {
	total, sessions, _ := r.CoverageLines(false)
	if total == "" {
		return nil
	}
	items := make(g.Group, 0, len(sessions))
	for _, s := range sessions {
		gaps := make(g.Group, 0, len(s.Gaps))
		for _, gap := range s.Gaps {
			gaps = append(gaps, h.Li(text(gap)))
		}
		items = append(items, h.Li(text(fmt.Sprintf("%s: %s", s.Session, s.Line)), h.Ul(lined(gaps))))
	}
	return section("h-coverage", "Coverage", "", h.P(text(total)), h.Ul(h.Class("plain"), lined(items)))
}
