package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/mcp"
	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newMCP(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent by the Model Context Protocol",
		Long: `mcp serves an agent by the Model Context Protocol on standard input and output,
until the input ends: the tool workflow leads through the workflows of the
repository around the working directory, the tool check judges what changed in
it. Agents start it themselves.`,
		Example: `  rulecheck mcp`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.serving = true
			err := mcp.Serve(cmd.Context(), p.stdin, p.stdout, mcp.Options{
				Version: version, Log: p.stderr, Flow: p.flowServed, Check: p.checkServed,
			})
			if err != nil {
				return evaluationError{fmt.Errorf("mcp: %w", err)}
			}
			return nil
		},
	}
}

// flowServed opens the workflows for one call of several.
func (p *process) flowServed(ctx context.Context) (*phase.Runner, error) {
	call := *p // the others open the repository for themselves
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	runner, _, err := call.workflows(cmd, &workflowFlags{})
	return runner, err
}

// checkServed judges a change for one call of several. No command runs: an agent
// may be given this tool without being allowed to run programs.
func (p *process) checkServed(ctx context.Context, o check.Options) (*report.Report, error) {
	call := *p
	f := &checkFlags{Options: o}
	repo, err := call.open(ctx, call.gitOptions(f))
	if err != nil {
		return nil, err
	}
	if o, err = call.judged(f); err != nil {
		return nil, err
	}
	o.Commands.Off = "a client of the Model Context Protocol may not run any; rulecheck on the command line does"
	return check.Run(ctx, repo, o)
}
