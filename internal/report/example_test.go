package report_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// A warning fails the run only with an option.
func ExampleReport_Status() {
	r := report.Report{Findings: []finding.Finding{{Rule: "docs", Level: finding.Warning}}}
	fmt.Println(r.Status(finding.Error), r.Status(finding.Warning))
	// Output: 0 1
}
