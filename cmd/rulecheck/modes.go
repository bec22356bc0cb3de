package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

func newRulesModes(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "modes [MODE]",
		Short: "List the modes of rules, or describe one",
		Long: `List the modes that rules of the working tree may have: the key that selects the
mode, whether it is bundled with rulecheck or the project's own, from
.rulecheck/policies, and its title; below it its frontmatter keys, optional ones
in brackets. With MODE, print its description, its keys, its facts and its examples.`,
		Example: `  rulecheck rules modes
  rulecheck rules modes pair`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := p.readRules(cmd)
			if err != nil {
				return err
			}
			names := set.Modes.Names()
			if len(args) > 0 {
				if !set.Modes.Has(args[0]) {
					return fmt.Errorf("unknown mode %q%s", args[0], suggest.OneOf(args[0], names))
				}
				return p.printMode(set.Modes.Of(args[0]))
			}
			for _, name := range names {
				mode := set.Modes.Of(name)
				p.prose("%s (%s): %s\n  %s\n", mode.Name, originOf(mode), mode.Title, keysOf(mode))
			}
			return p.printProblems(set)
		},
	}
}

// printMode prints what a mode declares.
func (p *process) printMode(mode policies.Mode) error {
	description := strings.Join(strings.Fields(mode.Description), " ")
	p.prose("%s (%s): %s\n\n%s\n\n", mode.Name, originOf(mode), mode.Title, description)
	var rows [][]plain.Text
	for _, param := range mode.Params {
		rows = append(rows, []plain.Text{"  " + plain.Line(param.Name), plain.Line(param.Describe())})
	}
	p.print("%s", wrap.Table(rows, p.width))
	p.prose("\nfacts: %s\n", strings.Join(mode.Facts, ", "))
	for _, text := range mode.Examples {
		p.print("\nexample:\n\n%s\n", plain.Block(strings.TrimSpace(text)))
	}
	return nil
}

func originOf(mode policies.Mode) string {
	if mode.Project {
		return "project"
	}
	return "bundled"
}

// keysOf lists a mode's parameters on one line.
func keysOf(mode policies.Mode) string {
	keys := make([]string, 0, len(mode.Params))
	for _, param := range mode.Params {
		if param.Optional {
			keys = append(keys, "["+param.Name+"]")
		} else {
			keys = append(keys, param.Name)
		}
	}
	return strings.Join(keys, " ")
}

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
