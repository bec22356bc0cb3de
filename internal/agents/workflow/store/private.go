package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// untrustedError explains why a file cannot be trusted, whatever it contains.
type untrustedError struct{ reason string }

func (e *untrustedError) Error() string { return e.reason }

// openPrivate opens a file that only its owner can have written: a regular file,
// not a link, that others cannot access.
func openPrivate(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &untrustedError{fmt.Sprintf("it is not a regular file: %s", info.Mode())}
	}
	if accessible(info) {
		// Every write makes the directory private. If it is not, the file system
		// has no permissions.
		if dir, err := os.Lstat(filepath.Dir(name)); err == nil && !accessible(dir) {
			return nil, &untrustedError{fmt.Sprintf("others can access it: permissions %04o; want 0600", info.Mode().Perm())}
		}
	}
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(errors.New("it was replaced while being opened"), err, file.Close())
	}
	return file, nil
}

// accessible reports whether others may access a file. Windows has other means.
func accessible(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}
