package main

import (
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/plain"
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
				line := plain.Sprintf("%s: %s", f.Path, f.End)
				if f.Note != "" {
					line += ": " + plain.Line(f.Note)
				}
				p.print("%s\n", line)
			}
			for _, n := range notices {
				p.print("notice: %s\n", n)
			}
			if err != nil {
				return evaluationError{err}
			}
			if len(files)+len(notices) == 0 {
				p.print("nothing to recover\n")
			}
			return nil
		},
	}
}
