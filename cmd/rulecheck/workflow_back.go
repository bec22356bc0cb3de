package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
)

func newWorkflowPrev(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "prev",
		Short: "Go back to the phase before, if the workflow allows it",
		Long: `prev returns to the phase that the session was in before the current one, and prints
its prompt. The workflow must have "prev" in its key "allow". No rules are checked, and
phases that were completed stay completed.`,
		Example: `  rulecheck workflow prev`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.back(cmd, f, (*phase.Runner).Prev) },
	}
}

func newWorkflowRestart(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "restart",
		Short: "Begin a session again, if the workflow allows it",
		Long: `restart returns to the first phase and prints its prompt. The workflow must have
"restart" in its key "allow". No phase counts as completed then; the journal keeps the
earlier ones.`,
		Example: `  rulecheck workflow restart`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.back(cmd, f, (*phase.Runner).Restart) },
	}
}

// back takes a step to an earlier phase.
func (p *process) back(cmd *cobra.Command, f *workflowFlags, step func(*phase.Runner, context.Context, string) (*phase.Reply, error)) error {
	runner, _, err := p.workflows(cmd, f)
	if err != nil {
		return err
	}
	r, err := step(runner, cmd.Context(), f.session)
	if err != nil {
		return workflowError(err)
	}
	return p.writeStep(f, r)
}
