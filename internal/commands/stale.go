package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// A run's directory holds a file that is locked as long as the run lives, however
// it ends.
const (
	basePattern = "rulecheck-run-*"
	lockName    = "lock"
)

// young is how old a directory must be before its missing lock means anything: a
// run that has just begun may not have it yet.
const young = time.Minute

// claim makes a run's directory in temp.
func claim(temp string) (base string, lock *flock.Flock, err error) {
	base, err = os.MkdirTemp(temp, basePattern)
	if err != nil {
		return "", nil, err
	}
	lock = flock.New(filepath.Join(base, lockName))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return "", nil, errors.Join(fmt.Errorf("lock %q", lock.Path()), err, lock.Close(), os.RemoveAll(base))
	}
	return base, lock, nil
}

// tidy takes away what runs left in temp that were killed.
func tidy(temp string, now time.Time) {
	bases, _ := filepath.Glob(filepath.Join(temp, basePattern))
	for _, base := range bases {
		name := filepath.Join(base, lockName)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < young {
			continue
		}
		lock := flock.New(name)
		locked, err := lock.TryLock()
		_ = lock.Close()
		if err == nil && locked {
			sweep("TMPDIR=" + filepath.Join(base, temporary) + string(filepath.Separator))
			// What cannot be removed now is tried again by the next run.
			_ = removeAll(base)
		}
	}
}

// removeAll removes dir and what is in it, also where a command has taken its own
// directories' permissions away.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, e os.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			return os.Chmod(name, 0o700) //nolint:gosec // directories are entered to be removed
		}
		return nil
	})
	return os.RemoveAll(dir)
}
