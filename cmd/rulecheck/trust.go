package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/trust"
)

func newTrust(p *process) *cobra.Command {
	var list, remove bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Trust the settings for commands in this working tree",
		Long: `Settings that let rule commands do more than the default branch allows have no effect
until you trust them: commands.sandbox, commands.env, commands.write,
commands.timeout, and env and timeout of an action. This command prints those of the
working tree, and the commands that the default branch does not have, and trusts
exactly them in this repository, on this machine. Read them, and the files that the
commands run, first.

Settings on the default branch do not need to be trusted. Trust is
kept in $XDG_STATE_HOME/rulecheck/trust, by default in ~/.local/state.`,
		Example: `  rulecheck trust
  rulecheck trust --list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case list:
				return p.listTrusted()
			case remove:
				return p.untrust(cmd)
			default:
				return p.trust(cmd)
			}
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list what is trusted in all repositories")
	cmd.Flags().BoolVar(&remove, "remove", false, "revoke the trust in this repository, like rulecheck untrust")
	cmd.MarkFlagsMutuallyExclusive("list", "remove")
	return cmd
}

func newUntrust(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "untrust",
		Short:   "Revoke the trust in this repository's settings",
		Example: `  rulecheck untrust`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.untrust(cmd) },
	}
}

// trust records the settings of the working tree that do not count yet.
func (p *process) trust(cmd *cobra.Command) error {
	engine, err := p.open(cmd.Context(), git.Options{})
	if err != nil {
		return err
	}
	project, err := setup.Read(cmd.Context(), engine, nil, agents.Ring{})
	if err != nil {
		return evaluationError{err}
	}
	if err := p.printProblems(project); err != nil {
		return err
	}
	if p.status > 0 {
		return errors.New("nothing is trusted: the rules or the configuration have errors; correct them first")
	}
	var o check.Options
	if err := p.ci(&o); err != nil {
		return err
	}
	c, err := project.CompareSettings(cmd.Context(), project.Rules, diff.BaseRequest{Head: project.Head, CI: o.CI})
	if err != nil {
		return evaluationError{err}
	}
	d := trust.Decide(c.Head, c.Base, func(trust.Setting) bool { return false })
	if len(d.Refused) == 0 {
		p.prose("nothing to trust: no setting lets commands do more than the default branch allows\n")
		return nil
	}
	store, repository := p.trusted(), trust.Repository(engine.GitDir())
	before, err := store.Of(repository)
	if err != nil {
		return evaluationError{err}
	}
	record := before.Grant(d.Refused, c.Head, c.Base, time.Now())
	if err := store.Put(record); err != nil {
		return evaluationError{fmt.Errorf("trust: %w", err)}
	}
	p.prose("Trusted here, because %s:\n", c.Why)
	fresh := trust.Record{}.Grant(d.Refused, c.Head, c.Base, time.Now())
	p.printTrusted(fresh)
	p.prose("They count on every branch of %s; to revoke, run: rulecheck untrust\n", repository)
	return nil
}

// printTrusted prints the settings and commands of a record.
func (p *process) printTrusted(r trust.Record) {
	settings, commands := r.Texts()
	for _, text := range settings {
		p.print("  %s\n", text)
	}
	if len(commands) > 0 {
		p.print("  for these new commands:\n")
	}
	for _, text := range commands {
		p.print("    %s\n", text)
	}
}

// untrust removes what is trusted in the repository.
func (p *process) untrust(cmd *cobra.Command) error {
	engine, err := p.open(cmd.Context(), git.Options{})
	if err != nil {
		return err
	}
	repository := trust.Repository(engine.GitDir())
	removed, err := p.trusted().Remove(repository)
	if err != nil {
		return evaluationError{fmt.Errorf("untrust: %w", err)}
	}
	if !removed {
		p.print("nothing was trusted in %s\n", repository)
		return nil
	}
	p.print("removed: nothing is trusted in %s\n", repository)
	return nil
}

// listTrusted prints what is trusted in all repositories.
func (p *process) listTrusted() error {
	records, err := p.trusted().List()
	for _, r := range records {
		gone := ""
		if _, err := os.Stat(r.Repository); err != nil {
			gone = "  (does not exist)"
		}
		p.print("%s, since %s%s\n", r.Repository, report.Time(r.Time), gone)
		p.printTrusted(r)
	}
	if err != nil {
		return evaluationError{err}
	}
	if len(records) == 0 {
		p.print("nothing is trusted\n")
	}
	return nil
}
