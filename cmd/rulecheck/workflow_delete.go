package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

func newWorkflowDelete(p *process, f *workflowFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete --session ID",
		Short: "Delete a session with its journal",
		Long: `delete removes the state and the journal of a session, whatever its status: its
evidence and its refused attempts are lost.`,
		Example: `  rulecheck workflow delete --session ed19e1cb20f6e700`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.session == "" {
				return errors.New("which session? want --session ID; run: rulecheck workflow list")
			}
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			if err := runner.Delete(cmd.Context(), f.session); err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Deleted(&phase.Deleted{Session: f.session})
		},
	}
	return cmd
}

func newWorkflowPrune(p *process, f *workflowFlags) *cobra.Command {
	var before instant
	cmd := &cobra.Command{
		Use:     "prune --older-than AGE",
		Short:   "Delete the sessions that ended some time ago",
		Long:    `prune deletes the sessions that are complete or aborted, with their journals.`,
		Example: `  rulecheck workflow prune --older-than 30d`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			pruned, err := runner.Prune(cmd.Context(), before.Time)
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Pruned(pruned)
		},
	}
	cmd.Flags().Var(&before, "older-than", "delete sessions last used before `AGE`, such as 30d or 12h, or a date")
	_ = cmd.MarkFlagRequired("older-than")
	return cmd
}

// workflowFailure writes an error of a workflow command to standard output as JSON, if
// the call asks for JSON and has no answer.
func (p *process) workflowFailure(cmd *cobra.Command, err error, status int) {
	words := strings.Fields(cmd.CommandPath())
	if len(words) < 2 || words[1] != "workflow" || p.answered || !wantsJSON(p.args) {
		return
	}
	other := string(store.InvalidArgument)
	if status == statusNotEvaluated {
		other = phase.NotEvaluated
	}
	_ = p.replyWriter(&workflowFlags{format: jsonFormat}).Failure(phase.NewFailure(err, other)) // the status reports the error
}

// wantsJSON reports whether arguments, which may be wrong, ask for JSON.
func wantsJSON(args []string) bool {
	i := slices.Index(args, "--format")
	return i >= 0 && i+1 < len(args) && args[i+1] == string(jsonFormat) || slices.Contains(args, "--format="+string(jsonFormat))
}
