package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/native"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lsp"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/rule"
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
			opened := &repositories{process: p}
			err := lsp.Serve(cmd.Context(), p.stdin, p.stdout, lsp.Options{
				Version: version, Open: opened.open, WorkflowSchema: workflow.Schema, Idle: debug.FreeOSMemory,
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

// manyFiles is the size of an index from which unsaved text is not checked: it has some 40,000 entries.
const manyFiles = 4 << 20

// repositories opens repositories for a server, whose checks follow each other.
type repositories struct {
	*process

	mutex sync.Mutex
	known string // the git directory of the repository that git has opened
}

// open opens the repository around a directory for one check, with texts in the place of files. The
// check runs no commands: to open a file of someone else must not run their programs.
func (r *repositories) open(ctx context.Context, dir string, texts map[string][]byte) (lsp.Repository, error) {
	call := *r.process
	f := &checkFlags{}
	engine, err := r.engine(ctx, &call, f, dir, texts)
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
	}, Fix: func(ctx context.Context, id, path string) (*check.Result, error) {
		f := &checkFlags{quiet: true}
		f.Commands.Fix = true
		o, err := call.options(f)
		if err != nil {
			return nil, err
		}
		o.Paths, o.Concerns = []string{path}, func(r *rule.Rule) bool { return r.ID == id }
		return check.Complete(ctx, engine, o)
	}, Replay: func(ctx context.Context, id string) (*replay.Report, error) {
		f := &checkFlags{}
		f.RulesFrom, f.Selection.Only = check.RulesFromWorktree, []string{id}
		o, err := call.ofPast(f, replay.Options{Range: history.Range{Max: lsp.Units}, MaxFiles: replay.DefaultMaxFiles})
		if err != nil {
			return nil, err
		}
		return replay.Run(ctx, engine, call.repo, o)
	}}, nil
}

// engine returns the embedded engine for texts. Without, it returns the git program, whose
// processes are spared where the embedded engine knows the answer.
func (r *repositories) engine(ctx context.Context, call *process, f *checkFlags, dir string, texts map[string][]byte) (diff.Engine, error) {
	embedded, refused := native.Open(native.Options{Dir: dir, Env: r.env, Texts: texts})
	r.mutex.Lock()
	known := r.known
	r.mutex.Unlock()
	o := call.gitOptions(f)
	o.Dir, o.Env = dir, r.env
	hasGit := refused == nil && r.process.engine != engineEmbedded && known == embedded.GitDir()
	switch {
	case len(texts) > 0 && refused != nil:
		return nil, refused
	case len(texts) > 0:
		return withTexts(embedded, hasGit, o)
	case hasGit:
		call.repo = git.At(embedded.Place(), o)
		return sparing{program.New(call.repo), embedded}, nil
	}
	engine, err := call.open(ctx, o)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known = ""; call.repo != nil {
		r.known = call.repo.GitDir
	}
	return engine, nil
}

// withTexts returns the engine for texts in a repository that is not too large for it.
func withTexts(embedded *native.Engine, hasGit bool, o git.Options) (diff.Engine, error) {
	place := embedded.Place()
	if info, err := os.Stat(place.IndexFile); err == nil && info.Size() > manyFiles {
		return nil, fmt.Errorf("an index of more than %d MB %w: the embedded engine is slow with many files", manyFiles>>20, diff.ErrNeedsGit)
	}
	if !hasGit {
		return embedded, nil
	}
	return typed{embedded, program.New(git.At(place, o))}, nil
}

// typed is the embedded engine, with the answers of the git program to what that does not know.
type typed struct {
	diff.Engine

	program diff.Engine
}

// Departures returns how paths left the main line of a commit.
func (t typed) Departures(ctx context.Context, commit string, paths []string) (map[string]diff.Departure, error) {
	return t.program.Departures(ctx, commit, paths)
}

// sparing asks the embedded engine about refs and commits, and another engine if that refuses.
type sparing struct {
	diff.Engine

	embedded diff.Engine
}

// Resolve finds a base.
func (s sparing) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	b, err := s.embedded.Resolve(ctx, r)
	if errors.Is(err, diff.ErrNeedsGit) {
		return s.Engine.Resolve(ctx, r)
	}
	return b, err
}

// Messages returns the messages of commits.
func (s sparing) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	m, err := s.embedded.Messages(ctx, base, head)
	if errors.Is(err, diff.ErrNeedsGit) {
		return s.Engine.Messages(ctx, base, head)
	}
	return m, err
}
