package git

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// explicitBare makes git refuse a bare repository that is found by its directory alone: a
// working tree can contain one, with configuration that names programs to run.
var explicitBare = []string{"-c", "safe.bareRepository=explicit"}

// refusesBare reports whether git refused such a repository. Git knows the option since
// 2.38.
func refusesBare(err error) bool {
	failed := (*Error)(nil)
	return errors.As(err, &failed) && strings.Contains(failed.Stderr, "safe.bareRepository")
}

// Embedded returns the error for a bare repository at or above dir that is inside the working
// tree of another repository; nil if it is not. Repositories that only have a bare
// repository, and the git directory of the working tree itself, are used as they are.
func Embedded(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if own, found := gitDirOf(at); found && !contains(own, dir) {
			return &Error{
				Args: openArgs, Status: -1,
				Err:  errors.New("the bare repository at " + strconv.Quote(dir) + " is inside the working tree of " + strconv.Quote(at) + ", and a change can bring it"),
				Next: "run rulecheck in that working tree, or set GIT_DIR to check the bare repository",
			}
		}
		if at == filepath.Dir(at) {
			return nil
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
		text, err := os.ReadFile(dot) //nolint:gosec // git reads it too
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
