package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// The values of --git.
const (
	engineAuto     = "auto"
	engineProgram  = "program"
	engineEmbedded = "embedded"
)

// engines are the values of --git with what each means.
var engines = []struct{ name, meaning string }{
	{engineAuto, "the git program, or the embedded engine where there is none"},
	{engineProgram, "the git program"},
	{engineEmbedded, "an engine of rulecheck's own, which needs no git program and refuses what it does not know"},
}

func engineNames() []string {
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	return names
}

// engine is the value of --git; empty: auto.
type engine string

func (e *engine) Set(value string) error {
	if !slices.Contains(engineNames(), value) {
		return fmt.Errorf("unknown engine %q%s", value, rule.OneOf(value, engineNames()))
	}
	*e = engine(value)
	return nil
}

func (*engine) Type() string { return "ENGINE" }

func (e *engine) String() string { return string(*e) }

// registerEngine adds --git to a command and to those below it.
func (p *process) registerEngine(cmd *cobra.Command) {
	cmd.PersistentFlags().Var(&p.engine, "git", "read the repository with `ENGINE`: "+strings.Join(engineNames(), ", ")+" (default auto)")
	var choices []string
	for _, e := range engines {
		choices = append(choices, e.name+"\t"+e.meaning)
	}
	_ = cmd.RegisterFlagCompletionFunc("git", cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
}

// open finds the repository around the working directory, and the engine that
// reads it.
func (p *process) open(ctx context.Context, o git.Options) (diff.Engine, error) {
	if p.engine == engineEmbedded {
		return p.embedded(ctx, "judged by the embedded engine, as asked with --git embedded")
	}
	o.Env = p.env
	repo, err := git.Open(ctx, o)
	return p.opened(ctx, repo, &diff.Ahead{}, err)
}

// openToJudge is open for a judgement, most of which is prepared meanwhile. What
// is still under way ends by the function it gives.
func (p *process) openToJudge(ctx context.Context, f *checkFlags) (engine diff.Engine, end func(), err error) {
	o := p.gitOptions(f)
	if p.engine == engineEmbedded {
		check.Begin()
		engine, err = p.open(ctx, o)
		return engine, func() {}, err
	}
	o.Env = p.env
	runner := git.New(o)
	opening, ahead := runner.Begin(ctx), &diff.Ahead{}
	if f.Since == "" && f.From == "" && p.getenv("GITHUB_ACTIONS") == "" {
		ahead = diff.Ask(ctx, runner)
	}
	check.Begin() // git, which everything waits for, has its processors first
	repo, err := opening()
	engine, err = p.opened(ctx, repo, ahead, err)
	return engine, ahead.End, err
}

// opened is the engine for a repository as git has opened it, or for the one that
// is there where there is no git.
func (p *process) opened(ctx context.Context, repo *git.Repo, ahead *diff.Ahead, err error) (diff.Engine, error) {
	switch {
	case p.engine != engineProgram && git.NoProgram(err):
		return p.embedded(ctx, "judged by the embedded engine: no git program was found")
	case err != nil:
		return nil, unjudged{err}
	}
	p.repo = repo
	return diff.Knowing(repo, ahead), nil
}

func (p *process) embedded(ctx context.Context, notice string) (diff.Engine, error) {
	e, err := diff.OpenEmbedded(ctx, diff.EmbeddedOptions{Env: p.env, Notice: notice})
	if err != nil {
		return nil, unjudged{err}
	}
	return e, nil
}
