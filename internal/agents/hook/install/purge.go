package install

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The directory in a git directory in which rulecheck keeps what it knows of a working tree, and
// in it that of what was installed.
const (
	recordsDir   = "rulecheck"
	installedDir = "installed"
)

// Kept lists the names of what hooks and workflows have recorded below a git directory, and the
// directory that has it.
func Kept(gitDir string) (dir string, names []string, err error) {
	dir = filepath.Join(gitDir, recordsDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil, nil
	}
	for _, e := range entries {
		if e.Name() != installedDir && !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return dir, names, err
}

// Purge removes what hooks and workflows have recorded below a git directory. What is known of
// agents whose hooks are still installed stays: they could not be uninstalled without it.
func Purge(gitDir string) error {
	root, err := os.OpenRoot(gitDir)
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), recordsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != installedDir {
			if err := root.RemoveAll(path.Join(recordsDir, e.Name())); err != nil {
				return err
			}
		}
	}
	removeEmpty(gitDir)
	return nil
}

// removeEmpty removes the directories of records that have nothing in them.
func removeEmpty(gitDir string) {
	for _, dir := range []string{filepath.Join(recordsDir, installedDir), recordsDir} {
		_ = os.Remove(filepath.Join(gitDir, dir)) // it stays while something is in it
	}
}
