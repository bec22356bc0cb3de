// Package githook puts rulecheck's hooks where git runs them, and takes them away
// again. A hook that was there before goes on running, first.
package githook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Dir is where git finds the hooks of a repository, which all its working trees
// share.
type Dir struct {
	path          string
	configuration []byte // of the pre-commit framework; nil: there is none
	sourced       bool   // the hooks are read by others, and need not be executable
}

// ForeignError is a core.hooksPath by which git runs the hooks of another program,
// or of every repository there is.
type ForeignError struct {
	Path  string // as git has it, absolute
	Scope string // where it is set: local, global, system, worktree or command
}

func (e *ForeignError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "core.hooksPath (%s) makes git look for hooks in %q, which is another program's or of many repositories", e.Scope, e.Path)
	if e.Path != os.DevNull {
		for _, name := range Names() {
			fmt.Fprintf(&b, "; add to %s: %s", filepath.Join(users(e.Path), name), callOf[name])
		}
	}
	if e.Scope != "command" { // of the environment or the command line
		fmt.Fprintf(&b, "; or give that up: git config --%s --unset core.hooksPath", e.Scope)
	}
	return b.String()
}

// Open finds where git looks for hooks. It fails with a *ForeignError where
// core.hooksPath leads elsewhere than to the repository's own.
func Open(ctx context.Context, repo *git.Repo) (*Dir, error) {
	if repo.Bare {
		return nil, errors.New("a bare repository has no commits to judge before they are made; want a clone with a working tree")
	}
	d, err := find(ctx, repo)
	if err != nil || d.path == filepath.Join(filepath.FromSlash(repo.CommonDir), "hooks") {
		return d, err
	}
	scope, err := repo.Run(ctx, "config", "-z", "--show-scope", "--get", "core.hooksPath")
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(string(scope), "\x00")
	return nil, &ForeignError{Path: d.path, Scope: name}
}

// Look gives the hooks that git runs, whosever they are, in the order of Names.
func Look(ctx context.Context, repo *git.Repo) ([]State, error) {
	d, err := find(ctx, repo)
	if err != nil {
		return nil, err
	}
	if dir := users(d.path); dir != d.path {
		d.path, d.sourced = dir, true
	}
	return d.States()
}

// find finds where git looks for hooks.
func find(ctx context.Context, repo *git.Repo) (*Dir, error) {
	out, err := repo.Run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return nil, err
	}
	d := &Dir{path: filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))}
	d.configuration, err = os.ReadFile(filepath.Join(repo.Root, ".pre-commit-config.yaml"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d, nil
}

// users is where the user's own hooks are, below whose directory husky has those
// that git runs; otherwise they are one.
func users(path string) string {
	if dir, ok := strings.CutSuffix(filepath.ToSlash(path), ".husky/_"); ok {
		return filepath.FromSlash(dir + ".husky")
	}
	return path
}

// file is where git looks for a hook.
func (d *Dir) file(name string) string { return filepath.Join(d.path, name) }

// former is where the hook is kept that was there before ours.
func (d *Dir) former(name string) string { return d.file(name) + formerSuffix }
