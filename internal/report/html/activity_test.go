package html_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// Sessions are added up by agent and by the day on which they began; one without a time is in
// the table of agents only.
func TestActivityAddsUp(t *testing.T) {
	r := reporttest.Clean()
	day := time.Date(2026, 5, 1, 23, 59, 0, 0, time.UTC)
	r.Sessions = []report.Session{
		{ID: "a", Agent: "claude", Start: day, Commands: 3, Failed: 1},
		{ID: "b", Agent: "claude", Start: day.Add(2 * time.Minute), Commands: 5},
		{ID: "c", Agent: "<codex>", Start: day.Add(3 * time.Minute), Commands: 7, Failed: 2},
		{ID: "d", Commands: 11},
	}
	page := chartless(render(t, r))
	row := func(name, sessions, commands, failed string) string {
		td := `</td><td class="number">`
		return `<tr><th scope="row">` + name + `</th><td class="number">` + sessions + td + commands + td + failed + td
	}
	for _, want := range []string{
		row("claude", "2", "8", "1"), row("&lt;codex&gt;", "1", "7", "2"), row("unknown", "1", "11", "0"),
		row("2026-05-01", "1", "3", "1"), row("2026-05-02", "2", "12", "2"),
		"Commands, failed ones below per day: at most 12, 2026-05-02", "<title>2026-05-02: 12, 2 failed</title>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page is\n%swant %s in it", page, want)
		}
	}
	for i := range 100 {
		r.Sessions = append(r.Sessions, report.Session{ID: "z", Start: day.AddDate(0, 0, i)})
	}
	if page := chartless(render(t, r)); !strings.Contains(page, "Agents and months") || !strings.Contains(page, row("2026-05", "34", "15", "3")) {
		t.Errorf("the page is\n%swant months", page)
	}
	r.Sessions = r.Sessions[:1]
	if strings.Contains(render(t, r), "h-activity") {
		t.Error("one session has an overview, want none")
	}
}
