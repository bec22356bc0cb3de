package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// The values of --git.
const (
	engineAuto     = "auto"
	engineProgram  = "program"
	engineEmbedded = "embedded"
)

// engines lists the values of --git with their meaning.
var engines = []struct{ name, meaning string }{
	{engineAuto, "the git program, or the embedded engine where there is none"},
	{engineProgram, "the git program"},
	{engineEmbedded, "the built-in engine, which needs no git program and refuses repositories that it does not support"},
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

// open finds the repository around the working directory, and the engine that reads it.
func (p *process) open(ctx context.Context, o git.Options) (diff.Engine, error) {
	if p.engine == engineEmbedded {
		return p.openNative("checked by the embedded engine (--git embedded)")
	}
	o.Env = p.env
	engine, err := program.Open(ctx, o)
	switch {
	case p.engine != engineProgram && git.NoProgram(err):
		return p.openNative("checked by the embedded engine: no git program was found")
	case err != nil:
		return nil, evaluationError{err}
	}
	p.repo = engine.Repo()
	return engine, nil
}

// openNative opens the engine without git; notice explains why.
func (p *process) openNative(notice string) (diff.Engine, error) {
	engine, err := native.Open(native.Options{Env: p.env, Notice: notice})
	if err != nil {
		return nil, evaluationError{err}
	}
	return engine, nil
}
