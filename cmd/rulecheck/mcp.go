package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/mcp"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newMCP(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent over the Model Context Protocol",
		Long: `mcp serves an agent over the Model Context Protocol on standard input and output,
until the input ends, for the repository around the working directory. The tool
workflow steps through its workflows, and the tool check runs a check. Agents
start this command themselves.`,
		Example: `  rulecheck mcp`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.serving = true
			err := mcp.Serve(cmd.Context(), p.stdin, p.stdout, mcp.Options{
				Version: version, Log: p.stderr, Flow: p.serveWorkflows, Check: p.serveCheck,
			})
			if err != nil {
				return evaluationError{fmt.Errorf("mcp: %w", err)}
			}
			return nil
		},
	}
}

// serveWorkflows opens the workflows for one of several concurrent calls.
func (p *process) serveWorkflows(ctx context.Context) (*phase.Runner, error) {
	call := *p // other calls open the repository themselves
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	runner, _, err := call.workflows(cmd, &workflowFlags{})
	return runner, err
}

// serveCheck checks a change for one of several concurrent calls. It runs no
// commands: an agent may have this tool without permission to run programs.
func (p *process) serveCheck(ctx context.Context, o check.Options) (*report.Report, error) {
	call := *p
	f := &checkFlags{Options: o}
	repo, err := call.open(ctx, call.gitOptions(f))
	if err != nil {
		return nil, err
	}
	if o, err = call.options(f); err != nil {
		return nil, err
	}
	o.Commands.Off = "clients of the Model Context Protocol may not run commands; run: rulecheck"
	return check.Run(ctx, repo, o)
}
