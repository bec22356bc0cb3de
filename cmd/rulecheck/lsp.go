package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/lsp"
)

func newLSP(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor over the Language Server Protocol",
		Long: `lsp serves an editor over the Language Server Protocol on standard input and output:
while you type it shows the findings of "rulecheck --no-commands" on their lines, and
in rule files and the configuration it shows errors, explains keys and completes them.
Editors start this command themselves.

Exit status: 0, or 1 if the editor sends exit before shutdown.`,
		Example: `  rulecheck lsp`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.serving = true
			err := lsp.Serve(cmd.Context(), p.stdin, p.stdout, lsp.Options{
				Version: version, Open: p.serveRepository, Idle: debug.FreeOSMemory,
			})
			switch {
			case errors.Is(err, lsp.ErrNoShutdown):
				p.status = 1
			case err != nil:
				return evaluationError{fmt.Errorf("lsp: %w", err)}
			}
			return nil
		},
	}
}

// serveRepository opens the repository around a directory for one check, with texts in the place of
// files. It runs no commands: to open a file of someone else must not run their programs.
func (p *process) serveRepository(ctx context.Context, dir string, texts map[string][]byte) (lsp.Repository, error) {
	call := *p
	f := &checkFlags{}
	o := call.gitOptions(f)
	o.Dir = dir
	open := func() (diff.Engine, error) { return call.open(ctx, o) }
	if len(texts) > 0 {
		open = func() (diff.Engine, error) { return native.Open(native.Options{Dir: dir, Env: p.env, Texts: texts}) }
	}
	engine, err := open()
	if err != nil {
		return lsp.Repository{}, err
	}
	return lsp.Repository{Engine: engine, Check: func(ctx context.Context) (*check.Result, error) {
		o, err := call.options(f)
		if err != nil {
			return nil, err
		}
		o.Commands.Off = "the language server runs no commands; run: rulecheck"
		result, err := check.Complete(ctx, engine, o)
		if err != nil || len(texts) == 0 {
			return result, err
		}
		for _, e := range result.Report.Errors {
			if strings.Contains(e.Message, diff.ErrNeedsGit.Error()) {
				return nil, fmt.Errorf("%s: %w", e.Message, diff.ErrNeedsGit)
			}
		}
		return result, nil
	}}, nil
}
