package list

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fleet"
)

// Repositories lists the repositories in and below a directory, bare ones and those with a
// working tree, but none inside another one.
func Repositories(ctx context.Context, dir string) ([]fleet.Unit, error) {
	var units []fleet.Unit
	var wrong []error
	seen := map[string]bool{} // web.git may be next to web
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		if !isRepository(name) {
			return nil
		}
		id, err := below(dir, name)
		u := fleet.Unit{ID: idOf(strings.TrimSuffix(id, ".git")), GitDir: name}
		if seen[u.ID] {
			u.ID = idOf(id)
		}
		seen[u.ID] = true
		wrong = append(wrong, err, u.Check())
		units = append(units, u)
		return fs.SkipDir
	})
	if err == nil && len(units) == 0 {
		err = fmt.Errorf("%s: no repository in it; for agent logs, use --logs", dir)
	}
	return units, errors.Join(append(wrong, err)...)
}

// below returns a path from a directory, with slashes; of the directory itself its name.
func below(dir, name string) (string, error) {
	if name != dir {
		rel, err := filepath.Rel(dir, name)
		return filepath.ToSlash(rel), err
	}
	full, err := filepath.Abs(dir)
	return filepath.Base(full), err
}

// isRepository reports whether a directory is a repository, or has one.
func isRepository(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		return true
	}
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// LogRoots lists the directories at a depth below a directory; 0 is the directory itself. All
// logs of a root are checked together, so that forks and subagents find their sessions. A
// file that is in none of the roots is an error.
func LogRoots(ctx context.Context, dir string, depth int) ([]fleet.Unit, error) {
	if depth == 0 {
		id, err := below(dir, dir)
		u := fleet.Unit{ID: idOf(id), Logs: dir}
		return []fleet.Unit{u}, errors.Join(err, u.Check())
	}
	var units []fleet.Unit
	var wrong []error
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return errors.Join(err, ctx.Err())
		}
		id, err := below(dir, name)
		switch deep := strings.Count(id, "/") + 1; {
		case err != nil:
			return err
		case !entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return nil
		case !entry.IsDir():
			wrong = append(wrong, fmt.Errorf("%s: outside the directories at depth %d; want --depth %d, or the file elsewhere", name, depth, deep-1))
			return nil
		case deep < depth:
			return nil
		}
		u := fleet.Unit{ID: idOf(id), Logs: name}
		wrong = append(wrong, u.Check())
		units = append(units, u)
		return fs.SkipDir
	})
	if err == nil && len(units) == 0 {
		err = fmt.Errorf("%s: no directory at depth %d; want a smaller --depth", dir, depth)
	}
	return units, errors.Join(append(wrong, err)...)
}
