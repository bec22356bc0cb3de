package regular

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// errGitDir is the error for a file of a git directory, which can hold credentials.
var errGitDir = errors.New("is in the git directory")

// outsideGit closes f, which was opened as name below a directory, if it is in a git
// directory there, whatever symlink led to it. The directory has the path top without
// symlinks.
func outsideGit(dir string, top func() (string, error), name string, f *os.File) (*os.File, error) {
	if !inGitDir(name) {
		place, err := placeOf(f, filepath.Join(dir, name))
		if err == nil {
			dir, err = top()
		}
		if err == nil {
			name, err = filepath.Rel(dir, place)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if !inGitDir(name) {
		return f, nil
	}
	_ = f.Close() // it was only read
	return nil, &fs.PathError{Op: "open", Path: filepath.ToSlash(name), Err: errGitDir}
}

// journals is the directory in a git directory that holds our journals of agents' hooks,
// which are logs to read.
const journals = "/rulecheck/journal"

// inGitDir reports whether a path has an element .git, in any case: some file systems
// ignore it.
func inGitDir(name string) bool {
	if slashed := filepath.ToSlash(filepath.Clean(name)); strings.HasSuffix(slashed, journals) || strings.HasSuffix(path.Dir(slashed), journals) {
		return false
	}
	for element := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if strings.EqualFold(element, ".git") {
			return true
		}
	}
	return false
}
