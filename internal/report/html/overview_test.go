package html_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// The page of many repositories begins with a table of them and the rules.
func TestPageOverview(t *testing.T) {
	r := reporttest.Clean()
	r.Command = "fleet"
	r.Units = []report.Unit{
		{ID: "team/<b>web", Exit: 1, Findings: map[string]int{"tests": 3}, Before: map[string]int{"tests": 1, "docs": 2}},
		{ID: "team/api", Exit: 3, Findings: map[string]int{}},
		{ID: "team/docs", Findings: map[string]int{}},
	}
	got := chartless(render(t, r))
	for _, want := range []string{
		"<title>rulecheck fleet",
		`<tr class="total"><th scope="row">3 units</th><td class="number">3</td><td class="number">3 <span class="more">+2</span></td><td class="number">0 <span class="fewer">−2</span></td></tr>`,
		`<tr><th scope="row">team/api <span class="level">could not be checked</span></th><td class="number"></td>`,
		`<tr><th scope="row">team/&lt;b&gt;web</th><td class="number">3</td><td class="number">3 <span class="more">+2</span></td><td class="number">0 <span class="fewer">−2</span></td></tr>`,
		`<p class="none">1 unit without findings.</p>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page is\n%s\nwant %s in it", got, want)
		}
	}
	for i := range 600 {
		r.Units = append(r.Units, report.Unit{ID: fmt.Sprint("more/", i), Findings: map[string]int{fmt.Sprint("rule-", i%20): 1}})
	}
	got = chartless(render(t, r))
	for _, want := range []string{"102 more units with findings.", "10 more rules with findings."} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in the page", want)
		}
	}
	if strings.Contains(chartless(render(t, reporttest.Clean())), "h-overview") {
		t.Error("the page of one repository has an overview")
	}
}
