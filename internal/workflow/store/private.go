package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// An unfitError says that a file cannot be trusted, whatever is in it.
type unfitError struct{ reason string }

func (e *unfitError) Error() string { return e.reason }

// openOwn opens a file that only its owner can have written: a regular one, not
// a link to one, and closed to others.
func openOwn(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &unfitError{fmt.Sprintf("it is no regular file but %s", info.Mode())}
	}
	if tooOpen(info) {
		// Where the directory is open too, the file system knows no permissions:
		// it is closed whenever something is written.
		if dir, err := os.Lstat(filepath.Dir(name)); err == nil && !tooOpen(dir) {
			return nil, &unfitError{fmt.Sprintf("others may use it: permissions %04o; want 0600", info.Mode().Perm())}
		}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(errors.New("it was replaced while it was opened"), err, file.Close())
	}
	return file, nil
}

// tooOpen reports whether others may use a file. Windows has other means.
func tooOpen(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}
