package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/ahead"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/objects"
	"github.com/rulecheck/rulecheck/internal/suggest"
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
		return fmt.Errorf("unknown engine %q%s", value, suggest.OneOf(value, engineNames()))
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
	program, err := diff.Begin(ctx, o, diff.BaseRequest{}).Program(ctx)
	return p.opened(ctx, program, err)
}

// openToJudge is open for a judgement, most of which is prepared meanwhile. What
// is still under way ends by the function it gives.
func (p *process) openToJudge(ctx context.Context, f *checkFlags) (engine diff.Engine, end func(), err error) {
	o := p.gitOptions(f)
	if p.engine == engineEmbedded {
		engine, err = p.open(ctx, o)
		return engine, func() {}, err
	}
	o.Env = p.env
	var first diff.BaseRequest
	if !ahead.Surrounded(p.env) {
		first = f.First()
	}
	opening := ahead.Opening(ctx, o, first)
	program, err := opening.Program(ctx)
	engine, err = p.opened(ctx, program, err)
	return engine, opening.End, err
}

// opened is the engine for a repository as git has opened it, or for the one that
// is there where there is no git.
func (p *process) opened(ctx context.Context, program *diff.Program, err error) (diff.Engine, error) {
	switch {
	case p.engine != engineProgram && git.NoProgram(err):
		return p.embedded(ctx, "judged by the embedded engine: no git program was found")
	case err != nil:
		return nil, evaluationError{err}
	}
	p.repo = program.Repo()
	return program, nil
}

func (p *process) embedded(ctx context.Context, notice string) (diff.Engine, error) {
	e, err := diff.OpenEmbedded(ctx, diff.EmbeddedOptions{
		Env: p.env, Notice: notice,
		Objects: func(dirs []string) diff.ObjectStore { return objects.Open(dirs) },
	})
	if err != nil {
		return nil, evaluationError{err}
	}
	return e, nil
}
