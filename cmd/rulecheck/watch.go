package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/watch"
)

func newWatch(p *process) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Show the findings of the working tree whenever files change",
		Long: `watch shows the findings of "rulecheck --no-commands", and shows them again when they
change, until it is interrupted. On Linux it checks whenever files change, on other
systems every two seconds. It runs no commands of rules.`,
		Example: `  rulecheck watch`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.serving = true
			if err := p.watch(cmd.Context(), f); err != nil && cmd.Context().Err() == nil {
				return evaluationError{err}
			}
			p.status = 0
			return nil
		},
	}
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print findings and problems only")
	return cmd
}

// watch prints the report of each check that differs from the one before.
func (p *process) watch(ctx context.Context, f *checkFlags) error {
	opened := &repositories{process: p}
	var last []byte
	for {
		engine, err := p.open(ctx, p.gitOptions(f))
		if err != nil {
			return err
		}
		w, err := p.watcher(ctx, engine)
		if err != nil {
			return err
		}
		for again := false; !again; {
			text := p.report(ctx, opened, engine.Root(), f)
			if !bytes.Equal(text, last) && ctx.Err() == nil {
				if _, err := p.stdout.Write(append(text, '\n')); err != nil {
					return errors.Join(err, w.Close())
				}
				last = text
			}
			changed, err := w.Wait(ctx)
			if err != nil {
				return errors.Join(err, w.Close())
			}
			again = len(changed) == 0 && watch.Exact || slices.ContainsFunc(changed, choosesIgnored)
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
}

// choosesIgnored reports whether a file chooses which others are ignored.
func choosesIgnored(name string) bool {
	base := filepath.Base(name)
	return base == ".gitignore" || base == "exclude" || base == "config"
}

// watcher watches the working tree of a repository, without directories that git ignores, and what
// git knows of commits.
func (p *process) watcher(ctx context.Context, engine diff.Engine) (*watch.Watcher, error) {
	ignored := map[string]bool{}
	var single, trees []string
	if repo := p.repo; repo != nil {
		res, err := repo.Do(ctx, git.Call{Args: []string{"ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z", "--full-name", "--", ":/"}})
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(res.Stdout), "\x00") {
			if dir, ok := strings.CutSuffix(name, "/"); ok {
				ignored[filepath.Join(engine.Root(), filepath.FromSlash(dir))] = true
			}
		}
		single = append(single, repo.CommonDir, filepath.Join(repo.CommonDir, "info"))
		trees = append(trees, filepath.Join(repo.CommonDir, "refs"))
	}
	single = append(single, engine.GitDir())
	return watch.Open(append(trees, engine.Root()), single, func(dir string) bool {
		return ignored[dir] || filepath.Base(dir) == ".git"
	}, time.Now)
}

// report checks the working tree, and returns what is printed about it.
func (p *process) report(ctx context.Context, opened *repositories, dir string, f *checkFlags) []byte {
	var text bytes.Buffer
	shown := *p
	shown.stdout = &text
	repo, err := opened.open(ctx, dir, nil)
	if err == nil {
		result, failed := repo.Check(ctx)
		if err = failed; err == nil {
			err = shown.write(result.Report, f)
		}
	}
	if err != nil {
		text.WriteString(string(plain.Block("could not be checked: " + err.Error() + "\n")))
	}
	return text.Bytes()
}
