package staging

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// A repository that came with its git directory, such as an unpacked archive, may have a
// journal from an unknown author.

// index returns the index that the run changed; empty if it changed none. It must be the
// index of the repository, or a file in the git directory, such as that of a commit in the
// making.
func (j *journal) index(repo *git.Repo) (string, error) {
	index := string(j.Index)
	switch {
	case index == "" || filepath.Clean(index) == repo.IndexFile:
		return index, nil
	case !filepath.IsAbs(index):
		index = filepath.Join(repo.GitDir, index)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(index))
	if errors.Is(err, fs.ErrNotExist) {
		dir, err = filepath.Dir(index), nil
	}
	if err != nil {
		return "", err
	}
	top, err := filepath.EvalSymlinks(repo.GitDir)
	if err != nil {
		return "", err
	}
	if below, err := filepath.Rel(top, dir); err == nil && filepath.IsLocal(below) && filepath.IsLocal(filepath.Base(index)) {
		return index, nil
	}
	return "", fmt.Errorf("its index %q is neither that of the repository nor in the git directory", j.Index)
}

// checkFiles returns an error if a file of the run is not one of the working tree. Other
// names could lead into the git directory, where hooks are.
func (j *journal) checkFiles() error {
	for _, f := range j.Files {
		name := string(f.Path)
		local := fs.ValidPath(name) && name != "." || filepath.IsLocal(filepath.FromSlash(name)) && filepath.ToSlash(filepath.Clean(filepath.FromSlash(name))) == name
		if !local || f.Number < 0 || inGitDir(name) {
			return fmt.Errorf("the file %q is not one of the working tree", f.Path)
		}
	}
	return nil
}

// inGitDir reports whether a part of a path is a name that a file system may take for
// .git: in any case, with the blanks and dots that Windows ignores, or by its short name.
func inGitDir(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		part, _, _ = strings.Cut(part, ":")
		if part = strings.TrimRight(part, " ."); part == ".git" || part == "git~1" {
			return true
		}
	}
	return false
}

// checkPlace returns an error if the directory of the runs is somewhere else: what is in it
// is removed.
func checkPlace(repo *git.Repo) error {
	for _, dir := range []string{filepath.Dir(stagingDir(repo)), stagingDir(repo)} {
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory; remove it", dir)
		}
	}
	return nil
}
