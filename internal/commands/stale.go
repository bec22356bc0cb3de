package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Each run has a directory with a lock file, which is locked until the run ends.
const (
	basePattern = "rulecheck-run-*"
	lockName    = "lock"
)

// minStaleAge is the minimum age of a directory to be removed: a run that has just
// begun may not have locked it yet.
const minStaleAge = time.Minute

// createBase creates and locks a run's directory in temp.
func createBase(temp string) (base string, lock *flock.Flock, err error) {
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

// removeStale removes the directories of killed runs from temp.
func removeStale(temp string, now time.Time) {
	bases, _ := filepath.Glob(filepath.Join(temp, basePattern))
	for _, base := range bases {
		name := filepath.Join(base, lockName)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < minStaleAge {
			continue
		}
		lock := flock.New(name)
		locked, err := lock.TryLock()
		_ = lock.Close()
		if err == nil && locked {
			sweep("TMPDIR=" + filepath.Join(base, temporary) + string(filepath.Separator))
			// The next run tries again if this fails.
			_ = removeAll(base)
		}
	}
}

// removeAll removes dir and its content, including directories without permissions.
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
