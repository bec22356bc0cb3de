package html

import (
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/report"
)

// tileNodes renders the numbers at the top of the page.
func tileNodes(r *report.Report) g.Group {
	s := r.Summary
	var tiles g.Group
	if len(r.Units) > 0 {
		tiles = append(tiles, countTile(len(r.Units), "unit", "", ""))
	}
	if r.Command != report.Audit {
		tiles = append(tiles, countTile(s.Changes, "change", "", ""))
	}
	if r.Command == report.Audit || len(r.Sessions) > 0 {
		tiles = append(tiles, countTile(len(r.Sessions), "session", "", ""))
	}
	bad := ""
	if s.Findings > 0 && !r.Passed() {
		bad = "bad"
	}
	tiles = append(tiles,
		countTile(s.Rules, "rule", "", ""),
		countTile(s.Findings, "finding", positive("%d waived", s.Waived), bad),
	)
	if s.NotEvaluable > 0 || s.Skipped > 0 {
		tiles = append(tiles, tile(report.Number(int64(s.NotEvaluable)), "could not be checked", positive("%d skipped", s.Skipped), ""))
	}
	if len(r.Sessions) > 0 {
		sum, unknown := report.SumTokens(r.Sessions)
		note := report.TokenCounts(sum)
		switch {
		case sum == (fact.TokenCount{}): // the tile shows "unknown"
			note = "not recorded in " + report.Count(unknown, "session")
		case unknown > 0:
			note += "; unknown for " + report.Count(unknown, "session")
		}
		tiles = append(tiles, tile(report.InputAndOutput(sum), "tokens in + out", note, ""))
		cost := report.NewTally(nil, r.Sessions).Cost
		tiles = append(tiles, tile(report.ShortCost(&cost), "cost", report.CostNote(&cost), ""))
	}
	return tiles
}

// behindNode renders the line about the sessions that belong to the change.
func behindNode(r *report.Report) g.Node {
	line := r.BehindLine()
	return g.If(line != "", h.P(h.Class("behind"), text(line)))
}

// positive formats a number; 0 is empty.
func positive(format string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}

func countTile(n int, one, note, class string) g.Node {
	return tile(report.Number(int64(n)), strings.TrimPrefix(report.Count(n, one), fmt.Sprint(n, " ")), note, class)
}

// tile renders a number with its name. An empty note or class is omitted.
func tile(number, name, note, class string) g.Node {
	return h.Div(classed(class),
		h.Dt(text(name)), h.Dd(text(number)), g.If(note != "", h.Dd(h.Class("note"), text(note))))
}
