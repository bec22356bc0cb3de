// Package githook installs and removes rulecheck's git hooks. Hooks that already
// exist keep running, before rulecheck's.
package githook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Dir is the directory of a repository's hooks. All its working trees share it.
type Dir struct {
	path           string
	configurations map[string][]byte // of managers, by their paths
	sourced        bool              // the hooks are sourced by husky and need not be executable
}

// ForeignError reports a core.hooksPath outside the repository's own directory of
// hooks.
type ForeignError struct {
	Path  string // absolute
	Scope string // the configuration that sets it: local, global, system, worktree or command
}

func (e *ForeignError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "core.hooksPath (%s) makes git run the hooks in %q, which belongs to another program or is shared by repositories", e.Scope, e.Path)
	if e.Path != os.DevNull {
		for _, name := range Names() {
			fmt.Fprintf(&b, "; add to %s: %s", filepath.Join(userHooks(e.Path), name), callOf[name])
		}
	}
	if e.Scope != "command" { // set by the environment or on the command line
		fmt.Fprintf(&b, "; or unset it: git config --%s --unset core.hooksPath", e.Scope)
	}
	return b.String()
}

// Open returns the directory of hooks. It fails with a *ForeignError if
// core.hooksPath names another one than the repository's own.
func Open(ctx context.Context, repo *git.Repo) (*Dir, error) {
	if repo.Bare {
		return nil, errors.New("commits are not made in a bare repository; want a clone with a working tree")
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

// Inspect returns the state of the hooks that git runs, including those of
// other programs, in the order of Names.
func Inspect(ctx context.Context, repo *git.Repo) ([]State, error) {
	d, err := find(ctx, repo)
	if err != nil {
		return nil, err
	}
	if dir := userHooks(d.path); dir != d.path {
		d.path, d.sourced = dir, true
	}
	return d.States()
}

// find asks git for the directory of hooks.
func find(ctx context.Context, repo *git.Repo) (*Dir, error) {
	out, err := repo.Run(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return nil, err
	}
	d := &Dir{path: filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))}
	d.configurations, err = readConfigurations(repo.Root)
	return d, err
}

// userHooks returns the directory of the hooks that users write. Husky keeps the
// hooks that git runs in a subdirectory of it.
func userHooks(path string) string {
	if dir, ok := strings.CutSuffix(filepath.ToSlash(path), ".husky/_"); ok {
		return filepath.FromSlash(dir + ".husky")
	}
	return path
}

// file returns the path of a hook.
func (d *Dir) file(name string) string { return filepath.Join(d.path, name) }

// former returns the path of the hook that rulecheck's hook replaced.
func (d *Dir) former(name string) string { return d.file(name) + formerSuffix }
