package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

func newWorkflowStart(p *process, f *workflowFlags) *cobra.Command {
	target := ""
	cmd := &cobra.Command{
		Use:   "start NAME",
		Short: "Start a workflow, or resume its open session",
		Long: `start opens a session and prints its id and the prompt of the first phase. An open
session of the same workflow file and target is resumed. NAME is the name of a
workflow or a workflow file of the repository.`,
		Example: `  rulecheck workflow start discovery
  rulecheck workflow start execution --target src/parser.go`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			runner, root, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			name, err := p.workflowInside(root, args[0])
			if err != nil {
				return err
			}
			path := ""
			if target != "" {
				if path, err = inRepository(root, target); err != nil {
					return fmt.Errorf("--target: %w", err)
				}
			}
			r, err := runner.Start(cmd.Context(), name, path)
			if err != nil {
				return workflowError(err)
			}
			return p.replyWriter(f).Start(r)
		},
	}
	cmd.Flags().StringVar(&target, "target", "", "work on `PATH`, a file or directory of the repository")
	return cmd
}

func newWorkflowNext(p *process, f *workflowFlags) *cobra.Command {
	var in phase.NextInput
	var results []string
	cmd := &cobra.Command{
		Use:   "next [CLAIMS]",
		Short: "Move to the next phase, if its conditions hold",
		Long: `next takes the first transition of the current phase whose condition holds, and
prints the prompt of the new phase. CLAIMS is the name of a claim, or a JSON object of
claims and other evidence. A phase can be left only if its gate and its exit
conditions are met. If the session stays in its phase, notices show what the
transitions wait for. With --from, a repeated call does not take a second step.

Then the session rules of the phase are checked on the logs of this visit. If one
fires, an interrupt replaces the prompt; the exit status stays 0.`,
		Example: `  rulecheck workflow next spec_complete
  rulecheck workflow next '{"spec_complete":true,"open_questions":0}'
  rulecheck workflow next '{"spec_complete":true}' --from spec
  rulecheck workflow next --approve release
  rulecheck workflow next --webhook-result ci=result.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) > 0 {
				if in.Claims, err = claims(args[0]); err != nil {
					return err
				}
			}
			if in.Webhooks, err = p.webhooks(results); err != nil {
				return err
			}
			in.By = store.By{Terminal: terminal.Interactive(p.stdin, p.stdout), Agent: profile.Around(p.getenv)}
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			r, err := runner.Next(cmd.Context(), f.session, in)
			if err != nil {
				return workflowError(err)
			}
			return p.writeStep(f, r)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&in.From, "from", "", "leave `PHASE`: refuse if the session is in another phase")
	flags.StringSliceVar(&in.Approve, "approve", nil, "approve the conditions with these `IDS`")
	flags.StringSliceVar(&in.Reject, "reject", nil, "reject the conditions with these `IDS`")
	flags.StringArrayVar(&results, "webhook-result", nil, "read the result of a webhook, `ID=FILE`, repeatable")
	flags.BoolVar(&f.withPrompt, "with-prompt", false, "print the prompt after an interrupt, too")
	f.registerLogs(cmd)
	return cmd
}

// claims returns the claims in an argument: a JSON object, or the name of one claim.
func claims(argument string) (map[string]any, error) {
	if !json.Valid([]byte(argument)) && gate.CheckName(argument) == nil {
		return map[string]any{argument: true}, nil
	}
	object, err := jsonObject([]byte(argument))
	if err != nil {
		err = fmt.Errorf("claims %q: %w", argument, err)
	}
	return object, err
}

// webhooks reads the results of webhooks.
func (p *process) webhooks(results []string) (map[string][]byte, error) {
	read := map[string][]byte{}
	for _, given := range results {
		id, file, ok := strings.Cut(given, "=")
		if !ok || id == "" || file == "" {
			return nil, fmt.Errorf("--webhook-result %q; want ID=FILE", given)
		}
		text, err := p.read(file)
		if err != nil {
			return nil, fmt.Errorf("--webhook-result: %w", err)
		}
		read[id] = text
	}
	return read, nil
}

func newWorkflowComplete(p *process, f *workflowFlags) *cobra.Command {
	evidence := ""
	cmd := &cobra.Command{
		Use:   "complete PHASE",
		Short: "Complete the current phase with the evidence that its gate requires",
		Long: `complete leaves the current phase. PHASE is its name or its number, from 1. A second
call with the same evidence only repeats the answer.`,
		Example: `  rulecheck workflow complete red --evidence evidence.json
  rulecheck workflow complete red --evidence -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := p.read(evidence)
			if err != nil {
				return fmt.Errorf("--evidence: %w", err)
			}
			given, err := jsonObject(text)
			if err != nil {
				return fmt.Errorf("--evidence %s: %w", evidence, err)
			}
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			r, err := runner.Complete(cmd.Context(), f.session, args[0], given)
			if err != nil {
				return workflowError(err)
			}
			return p.writeStep(f, r)
		},
	}
	cmd.Flags().StringVar(&evidence, "evidence", "", "read the evidence, a JSON object, from `FILE`; - is standard input")
	_ = cmd.MarkFlagRequired("evidence")
	f.registerLogs(cmd)
	return cmd
}

func newWorkflowContinue(p *process, f *workflowFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "continue",
		Short: "Print the prompt of the current phase without checking rules, once",
		Long: `continue prints the prompt of the current phase as if no rule had fired. This is not
remembered: the next "rulecheck workflow next" checks the rules again.`,
		Example: `  rulecheck workflow continue`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner, _, err := p.workflows(cmd, f)
			if err != nil {
				return err
			}
			r, err := runner.Continue(cmd.Context(), f.session)
			if err != nil {
				return workflowError(err)
			}
			return p.writeStep(f, r)
		},
	}
}
