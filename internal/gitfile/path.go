// Package gitfile reads git's own files without the git program: the index, refs,
// configuration, ignore rules and objects. It is the only user of go-git. Files that only git
// reads exactly are refused with an error that wraps [diff.ErrNeedsGit].
package gitfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// Within returns name as a path, relative to dir unless it is absolute.
func Within(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// absent reports whether err means that a file does not exist, or that a file is in the place
// of its directory.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
