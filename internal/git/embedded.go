package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// explicitBare makes git refuse a bare repository that is found by its directory alone: a
// working tree can contain one, with configuration that names programs to run.
var explicitBare = []string{"-c", "safe.bareRepository=explicit"}

// refusedBare returns the bare repository that git refused for that reason. Git knows the
// option since 2.38.
func refusedBare(err error) (dir string, refused bool) {
	failed := (*Error)(nil)
	if !errors.As(err, &failed) {
		return "", false
	}
	text, _, refused := strings.Cut(failed.Stderr, "' (safe.bareRepository")
	_, dir, _ = strings.Cut(text, "'")
	return dir, refused
}

// checkBare returns an error if the bare repository at dir is part of the working tree of
// another one: a change can bring it. A directory that the other repository does not
// track belongs to the user, as below a home directory that is a repository of dotfiles.
func (r *Repo) checkBare(ctx context.Context, dir string) error {
	top, err := Embedded(dir)
	if err == nil {
		return nil
	}
	resolved, unknown := filepath.EvalSymlinks(dir)
	if unknown != nil || top == "" {
		return err
	}
	res, unknown := r.Do(ctx, Call{Args: []string{"-C", top, "ls-files", "-z", "--", ":(literal)" + resolved}})
	if unknown == nil && len(res.Stdout) == 0 {
		return nil
	}
	return err
}

// Embedded returns an error if dir is inside the working tree of another repository, and the
// top of that. Git directories of the working trees above dir are not.
func Embedded(dir string) (top string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if own, found := gitDirOf(at); found && !contains(own, dir) {
			return at, &Error{
				Args: openArgs, Status: -1,
				Err:  errors.New("the bare repository at " + strconv.Quote(dir) + " is inside the working tree of " + strconv.Quote(at) + ", and a change can bring it"),
				Next: "run rulecheck in that working tree, or set GIT_DIR to check the bare repository",
			}
		}
		if at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// gitDirOf returns the git directory that the .git of a working tree names.
func gitDirOf(top string) (dir string, found bool) {
	dot := filepath.Join(top, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return "", false
	}
	if !info.IsDir() {
		text, err := regular.ReadAtMost(dot, regular.Text)
		name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if err != nil || !ok {
			return "", false
		}
		if dot = filepath.FromSlash(name); !filepath.IsAbs(dot) {
			dot = filepath.Join(top, dot)
		}
	}
	if resolved, err := filepath.EvalSymlinks(dot); err == nil {
		dot = resolved
	}
	return dot, true
}

// contains reports whether dir is at or below parent, both without symlinks.
func contains(parent, dir string) bool {
	inside, err := filepath.Rel(parent, dir)
	return err == nil && filepath.IsLocal(inside)
}

// within returns a path that may be relative to dir; an empty dir is the process's.
func within(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" && path != "" {
		return path
	}
	return filepath.Join(dir, path, ".")
}
