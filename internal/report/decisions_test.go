package report_test

import (
	"fmt"
	"testing"

	"github.com/rulecheck/rulecheck/internal/report"
)

func TestDecisions(t *testing.T) {
	r := &report.Report{Sessions: []report.Session{
		{Decisions: &report.Decisions{Denied: 1, Promised: []string{"docs"}}},
		{},
		{Decisions: &report.Decisions{Denied: 1, Refused: 1, Promised: []string{"docs", "api"}}},
	}}
	if got, want := r.Decisions().Line(), "2 calls were denied, 1 stop refused, 3 promises: api, docs"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	many := report.Decisions{}
	for i := range report.MaxListed + 2 {
		many.Promised = append(many.Promised, fmt.Sprintf("r%02d", i))
	}
	if ids, more := many.Rules(); len(ids) != report.MaxListed || more != 2 {
		t.Errorf("%d rules and %d more; want %d and 2", len(ids), more, report.MaxListed)
	}
	for want, d := range map[string]report.Decisions{
		"": {}, "1 stop was refused": {Refused: 1}, "2 calls were asked about": {Asked: 2, Denied: -1},
	} {
		if got := d.Line(); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
