package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newRules(p *process) *cobra.Command {
	rules := &cobra.Command{
		Use:   "rules",
		Short: "Look at the rules themselves",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	rules.AddCommand(newRulesList(p), newRulesValidate(p), newRulesExplain(p))
	return rules
}

func newRulesList(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the rules of the working tree",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := p.readRules(cmd)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			for _, r := range set.Rules {
				state := ""
				if !r.Enabled {
					state = "  (disabled)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s%s\n", finding.Visible(r.ID), r.Mode, r.Level, r.CompareTo, finding.Visible(r.Name), state)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			return p.tellProblems(set)
		},
	}
}

func newRulesValidate(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Say what is wrong with the configuration and the rules",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := p.readRules(cmd)
			if err != nil {
				return err
			}
			if err := p.tellProblems(set); err != nil {
				return err
			}
			if len(set.Problems) == 0 {
				fmt.Fprintf(p.stdout, "%s in %s, well-formed\n", report.Count(len(set.Rules), "rule"), finding.Visible(set.Dir))
			}
			return nil
		},
	}
}

// readRules reads what the working tree has.
func (p *process) readRules(cmd *cobra.Command) (*check.RuleSet, error) {
	repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
	if err != nil {
		return nil, err
	}
	set, err := check.ReadRules(cmd.Context(), repo)
	if err != nil {
		return nil, unjudged{err}
	}
	return set, nil
}

// tellProblems prints each problem with the line it is about.
func (p *process) tellProblems(set *check.RuleSet) error {
	for _, problem := range set.Problems {
		p.status = statusUsage
		fmt.Fprintln(p.stderr, finding.Visible(problem.Error()))
		source, err := set.Source(problem.File)
		if err != nil {
			continue // the problem says already that the file cannot be read
		}
		fmt.Fprint(p.stderr, problem.Excerpt(source))
	}
	return nil
}
