package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newWorkflowShow(p *process, f *workflowFlags) *cobra.Command {
	source := ""
	cmd := &cobra.Command{
		Use:   "show [PHASE]",
		Short: "Show the current phase or a completed one, or a workflow file",
		Long: `show prints a phase with the evidence that it requires: the current one, or PHASE,
the name or the number of a completed phase. With --source it prints the file of a
workflow, including a bundled one.`,
		Example: `  rulecheck workflow show
  rulecheck workflow show spec
  rulecheck workflow show --source execution`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("source") && len(args) > 0 {
				return fmt.Errorf("PHASE %q and --source exclude each other", args[0])
			}
			runner, root, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("source") {
				return p.showSource(runner, f, root, source)
			}
			phase := ""
			if len(args) > 0 {
				phase = args[0]
			}
			r, err := runner.Show(cmd.Context(), f.session, phase)
			if err != nil {
				return workflowError(err)
			}
			return p.writeStep(f, r)
		},
	}
	cmd.Flags().StringVar(&source, "source", "", "print the file of the workflow `NAME`")
	return cmd
}

// showSource prints a workflow file.
func (p *process) showSource(runner *phase.Runner, f *workflowFlags, root, arg string) error {
	name, err := p.workflowInside(root, arg)
	if err != nil {
		return err
	}
	s, err := runner.Source(name)
	if err != nil {
		return workflowError(err)
	}
	return p.replyWriter(f).Source(s)
}

// workflowInside returns the name of a workflow, or its file, which must be in the
// repository: agents start workflows, and errors quote the text of files.
func (p *process) workflowInside(root, arg string) (string, error) {
	name, err := p.workflowName(root, arg)
	if err == nil && filepath.IsAbs(name) {
		err = fmt.Errorf("%q is not a file in the repository %s; want the name of a workflow or a workflow file of the repository", arg, root)
	}
	return name, err
}

func newWorkflowStatus(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show the progress of a session",
		Example: `  rulecheck workflow status --format json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			s, err := runner.Status(cmd.Context(), f.session)
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Status(s)
		},
	}
}

func newWorkflowList(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the workflows and the sessions",
		Example: `  rulecheck workflow list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			l, err := runner.List(cmd.Context())
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).List(l)
		},
	}
}

func newWorkflowSearch(p *process, f *workflowFlags) *cobra.Command {
	var q workflow.Query
	cmd := &cobra.Command{
		Use:   "search WORD...",
		Short: "Search the documents of the current and the completed phases",
		Example: `  rulecheck workflow search error handling --limit 3
  rulecheck workflow search evidence --phase spec --tag checkpoint`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			q.Text = strings.Join(args, " ")
			hits, err := runner.Search(cmd.Context(), f.session, q)
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Hits(hits)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&q.Phases, "phase", nil, "search only the documents of these `PHASES`")
	flags.StringSliceVar(&q.Tags, "tag", nil, "find only sections with all of these `TAGS`")
	flags.IntVar(&q.Limit, "limit", workflow.DefaultLimit, "print at most `N` sections")
	return cmd
}

func newWorkflowLint(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [NAME]",
		Short: "Report errors and likely mistakes in workflow files",
		Example: `  rulecheck workflow lint
  rulecheck workflow lint execution`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			runner, root, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			name := ""
			if len(args) > 0 {
				if name, err = p.workflowName(root, args[0]); err != nil {
					return err
				}
			}
			l, err := runner.Lint(cmd.Context(), name)
			if err != nil {
				return workflowError(err)
			}
			p.status = max(p.status, report.StatusOf(l.Problems))
			return p.replyWriter(f).Lint(l)
		},
	}
}

func newWorkflowRecover(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "recover",
		Short: "Repair damaged sessions from their journals, without advancing them",
		Example: `  rulecheck workflow recover
  rulecheck workflow recover --session ed19e1cb20f6e700`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			var ids []string
			if f.session != "" {
				ids = []string{f.session}
			}
			recovered, err := runner.Recover(cmd.Context(), ids...)
			if len(recovered) > 0 || err == nil {
				err = errors.Join(err, p.replyWriter(f).Recovered(recovered))
			}
			if err != nil {
				return workflowError(err)
			}
			return nil
		},
	}
}

func newWorkflowAbort(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "abort",
		Short:   "Abort a session before its workflow is complete",
		Example: `  rulecheck workflow abort`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			r, err := runner.Abort(cmd.Context(), f.session)
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Abort(r)
		},
	}
}
