package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// insideOf returns a report with what changed inside n files; texts come from text.
func insideOf(n int, text func(string) string) *report.Report {
	r := reporttest.Small()
	r.Inside = &report.Inside{Unread: 1, Held: []string{text("source-docs")}, Resting: []string{text("old-rule")}}
	for i := range n {
		r.Inside.Files = append(r.Inside.Files,
			report.InsideFile{Path: text(fmt.Sprint("src/a", i, ".py")), API: []report.InsidePart{
				{Name: text("login"), Status: "modified", Before: text("(name)"), After: text("(name, token)")},
				{Name: text("logout"), Status: "deleted", Before: text("()")},
			}},
			report.InsideFile{Path: text(fmt.Sprint("src/a", i, ".json")), Keys: []report.InsidePart{{Name: text("/dependencies/left-pad"), Status: "added"}}})
	}
	return r
}

// A brief shows the API and the keys of a change.
func TestBrief(t *testing.T) {
	t.Parallel()
	r := insideOf(1, func(s string) string { return s })
	golden.Compare(t, "testdata/brief-inside.golden", write(t, "brief", r, format.Options{}))
}

// Hostile names change no structure of a brief, and no number of them makes it long.
func TestBriefIsBounded(t *testing.T) {
	t.Parallel()
	tame := blocksOf(t, write(t, "brief", insideOf(1, func(s string) string { return s }), format.Options{}))
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		hostile := func(string) string { return reporttest.HostileText(random) + "x" }
		out := write(t, "brief", insideOf(1, hostile), format.Options{})
		same(t, "hostile", out, tame, blocksOf(t, out))
	}
	many := insideOf(5000, func(s string) string { return strings.Repeat(s, 100) })
	for range 5000 {
		f := finding.Finding{Rule: strings.Repeat("x", 500), Level: finding.Error, Path: strings.Repeat("`y", 500), Message: strings.Repeat("<z>", 500)}
		many.Findings = append(many.Findings, f)
		many.Notices, many.Errors = append(many.Notices, f.Message), append(many.Errors, finding.Problem{Message: f.Message})
	}
	out := write(t, "brief", many, format.Options{})
	const lines, bytes = 80, 601
	if n := strings.Count(out, "\n"); n > lines || len(out) > lines*bytes {
		t.Errorf("%d lines, %d bytes; want at most %d and %d", n, len(out), lines, lines*bytes)
	}
}
