package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/report"
)

// TestOverview puts what needs attention first, and counts units without findings only.
func TestOverview(t *testing.T) {
	t.Parallel()
	if o := (&report.Report{}).Overview(); o != nil {
		t.Errorf("a report of one repository has the overview %v", o)
	}
	r := &report.Report{Units: []report.Unit{
		{ID: "a", Findings: map[string]int{"tests": 1}, Before: map[string]int{"tests": 3, "docs": 1}},
		{ID: "b", Findings: map[string]int{}},
		{ID: "c", Exit: 3, Findings: map[string]int{}},
		{ID: "d", Exit: 1, Findings: map[string]int{"tests": 2, "api": 4}, Before: map[string]int{}},
		{ID: "e", Findings: map[string]int{}, Before: map[string]int{"docs": 1}},
	}}
	o := r.Overview()
	var order []string
	for _, u := range o.Units {
		order = append(order, u.ID)
	}
	for _, d := range []string{
		cmp.Diff([]string{"c", "d", "a", "e"}, order), cmp.Diff([]string{"api", "tests", "docs"}, o.Rules), cmp.Diff(1, o.Quiet), cmp.Diff(true, o.Compare),
		cmp.Diff(map[string]int{"api": 4, "tests": 3, "docs": 0}, o.Totals.Findings), cmp.Diff(map[string]int{"tests": 3, "docs": 2}, o.Totals.Before),
		cmp.Diff(7, o.Totals.Sum()), cmp.Diff(5, o.Totals.SumBefore()),
	} {
		if d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}
