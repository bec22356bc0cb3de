package html

import (
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
)

// htmlTiles are the numbers at the head of the page.
func htmlTiles(r *report.Report) g.Group {
	s := r.Summary
	var tiles g.Group
	if r.Command != report.Audit {
		tiles = append(tiles, countTile(s.Changes, "change", "", ""))
	}
	if r.Command == report.Audit || len(r.Sessions) > 0 {
		tiles = append(tiles, countTile(len(r.Sessions), "session", "", ""))
	}
	bad := ""
	if s.Findings > 0 {
		bad = "bad"
	}
	tiles = append(tiles,
		countTile(s.Rules, "rule", "", ""),
		countTile(s.Findings, "finding", fmt.Sprintf("%d waived", s.Waived), bad),
		tile(report.Number(int64(s.NotEvaluable)), "not evaluable", fmt.Sprintf("%d skipped", s.Skipped), ""),
	)
	if len(r.Sessions) > 0 {
		sum, silent := report.SumTokens(r.Sessions)
		note := report.TokenCounts(sum)
		if silent > 0 {
			note += fmt.Sprintf("; %s without a word of tokens", report.Count(silent, "session"))
		}
		tiles = append(tiles, tile(report.InputAndOutput(sum), "tokens in + out", note, ""))
	}
	return tiles
}

func countTile(n int, one, note, class string) g.Node {
	return tile(report.Number(int64(n)), strings.TrimPrefix(report.Count(n, one), fmt.Sprint(n, " ")), note, class)
}

// tile has no note and no class where they are empty.
func tile(number, name, note, class string) g.Node {
	return h.Div(classed(class),
		h.Dt(shown(name)), h.Dd(shown(number)), g.If(note != "", h.Dd(h.Class("note"), shown(note))))
}
