package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/ruletest"
)

func newInit(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "init",
		Short:   "Write a configuration and two example rules for this repository",
		Example: `  rulecheck init`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.open(cmd.Context(), git.Options{})
			if err != nil {
				return err
			}
			written, err := ruletest.Init(cmd.Context(), repo)
			p.printWritten(written)
			if err != nil {
				return err
			}
			fmt.Fprintln(p.stdout, "Adapt them, then run: rulecheck")
			return nil
		},
	}
}
