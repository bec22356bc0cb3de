package staging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/git"
)

const (
	lockWait      = 20 * time.Millisecond // between two attempts to lock the index
	indexAttempts = 50                    // to lock the index; git holds that lock briefly
)

// lockMark is the beginning of the lock file of the index. Git's lock files do not
// have it, so it identifies the lock of a killed run.
const lockMark = "rulecheck staging "

// stagingDir returns the directory of the runs' journals and temporary files.
func stagingDir(repo *git.Repo) string { return filepath.Join(repo.GitDir, "rulecheck", "staging") }

func lockFile(repo *git.Repo) string { return stagingDir(repo) + ".lock" }

// lockStaging waits for the lock on writing to this working tree. The system
// releases it when its holder ends.
func lockStaging(ctx context.Context, repo *git.Repo) (unlock func(), err error) {
	if err := checkPlace(repo); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(stagingDir(repo), 0o700); err != nil {
		return nil, err
	}
	if unlock, err = atomicfile.Lock(ctx, lockFile(repo)); err != nil {
		return nil, fmt.Errorf("wait for another rulecheck to finish writing: %w", err)
	}
	return unlock, nil
}

// lockIndex locks the index as git does, by creating a file that must not exist.
// mark is the name of a temporary file on the same file system, from which the
// lock is linked so that it never exists without its content.
func lockIndex(ctx context.Context, index, mark string) error {
	lock := index + ".lock"
	err := os.WriteFile(mark, []byte(lockMark+mark+"\n"), 0o600)
	if err != nil {
		return err
	}
	for range indexAttempts {
		if err = createLock(mark, lock); !errors.Is(err, fs.ErrExist) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockWait):
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("lock the index: %s exists: another git process seems to be running in this repository; if not, remove the file", lock)
	case err != nil:
		return fmt.Errorf("lock the index: %w", err)
	}
	return nil
}

// createLock links mark to lock unless that exists. On file systems without links
// the lock is empty for a moment.
func createLock(mark, lock string) error {
	err := os.Link(mark, lock)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lockMark + mark + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(lock))
	}
	return nil
}

// isOurLock reports whether the lock of an index is from a run of this program. If
// the caller holds the lock on writing and has not locked the index, it is from a
// killed run.
func isOurLock(index string) bool {
	file, err := os.Open(index + ".lock")
	if err != nil {
		return false
	}
	defer file.Close()
	mark := make([]byte, len(lockMark))
	_, err = io.ReadFull(file, mark)
	return err == nil && string(mark) == lockMark
}

// unlockIndex releases the lock of an index.
func unlockIndex(index string) error {
	if !isOurLock(index) {
		return fmt.Errorf("unlock the index: %s.lock was removed by another program", index)
	}
	return os.Remove(index + ".lock")
}
