package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

func newRulesSchema(p *process) *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use:   "schema (rule | config | workflow | --write)",
		Short: "Print the JSON Schema of rules, workflows or the configuration, for editors",
		Long: `Print the JSON Schema of a rule's frontmatter, including the project's own modes, of
workflow files or of the configuration. With --write, all are written to
` + ruletest.SchemaDir + `, where editors find them through the files that
"rulecheck init" writes.`,
		Example: `  rulecheck rules schema rule
  rulecheck rules schema --write`,
		ValidArgs: ruletest.SchemaNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if write == (len(args) == 1) || len(args) > 1 {
				return errors.New("no schema named; want rule, config, workflow, or --write for all")
			}
			repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
			if err != nil {
				return err
			}
			schemas, err := ruletest.Schemas(cmd.Context(), repo)
			if err != nil {
				return evaluationError{err}
			}
			if write {
				written, err := schemas.Write(repo)
				p.printWritten(written)
				return err
			}
			text, ok := schemas[args[0]]
			if !ok {
				return fmt.Errorf("unknown schema %q%s", args[0], suggest.OneOf(args[0], ruletest.SchemaNames()))
			}
			_, err = p.stdout.Write(plain.JSON(text))
			return err
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "write all schemas to "+ruletest.SchemaDir)
	return cmd
}

// printWritten lists the files that were written.
func (p *process) printWritten(paths []string) {
	for _, path := range paths {
		p.print("wrote %s\n", path)
	}
}
