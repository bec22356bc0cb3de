package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/staging"
)

func newRecover(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "recover",
		Short: "Complete or undo an interrupted --fix",
		Long: `A run with --fix that is killed while it writes leaves a journal in the git
directory, and the next run refuses to start until it is recovered. Recovery
leaves each file as it was before or after the run. Files that were edited since
are not changed.`,
		Example: `  rulecheck recover`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			files, notices, err := staging.Recover(cmd.Context(), repo)
			for _, f := range files {
				line := fmt.Sprintf("%s: %s", finding.Visible(f.Path), f.End)
				if f.Note != "" {
					line += ": " + finding.Visible(f.Note)
				}
				fmt.Fprintln(p.stdout, line)
			}
			for _, n := range notices {
				fmt.Fprintln(p.stdout, "notice: "+finding.Visible(n))
			}
			if err != nil {
				return evaluationError{err}
			}
			if len(files)+len(notices) == 0 {
				fmt.Fprintln(p.stdout, "nothing to recover")
			}
			return nil
		},
	}
}
