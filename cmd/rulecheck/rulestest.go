package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/ruletest"
)

func newRulesTest(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "test [ID...]",
		Short: "Run the examples in the rules and the tests of policies",
		Long: `Run the examples in the rules of the working tree, and the tests of its policies:
the rules test_* in .rulecheck/policies/**/*_test.rego. With IDs, run only the
examples of those rules.

An example is a fenced block "rulecheck" in a rule's body: the changes, "--", and
the expected findings.

Exit status: 0 all pass, 1 some fail, 2 something is malformed.`,
		Example: `  rulecheck rules test
  rulecheck rules test source-test readme`,
		RunE: func(cmd *cobra.Command, args []string) error {
			repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
			if err != nil {
				return err
			}
			t, err := ruletest.Run(cmd.Context(), repo, args, version)
			if err != nil {
				return classify(err)
			}
			p.printTested(t)
			return p.printProblems(t.Project)
		},
	}
}

// printTested prints the failures and the counts.
func (p *process) printTested(t *ruletest.Outcome) {
	for _, f := range t.Failures {
		p.status = max(p.status, statusFindings)
		fmt.Fprintf(p.stdout, "%s:%d:%d: %s\n", finding.Visible(f.File), f.Line, f.Column, finding.Visible(f.Message))
		for _, line := range f.Details {
			fmt.Fprintf(p.stdout, "  %s\n", finding.Visible(line))
		}
	}
	for _, notice := range t.Notices {
		fmt.Fprintf(p.stdout, "notice: %s\n", finding.Visible(notice))
	}
	if n := len(t.Without); n > 0 {
		fmt.Fprintf(p.stdout, "%s without an example: %s\n", report.Count(n, "rule"), finding.Visible(strings.Join(t.Without, ", ")))
	}
	todo := ""
	if t.Skipped > 0 {
		todo = fmt.Sprintf(" (%d still to do)", t.Skipped)
	}
	fmt.Fprintf(p.stdout, "%s in %s, %s of policies%s, %d failed\n",
		report.Count(t.Examples, "example"), report.Count(t.Rules, "rule"), report.Count(t.Tests, "test"), todo, len(t.Failures))
}
