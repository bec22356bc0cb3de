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

	"github.com/gofrs/flock"

	"github.com/rulecheck/rulecheck/internal/git"
)

const (
	lockWait      = 20 * time.Millisecond // between two attempts at a lock
	indexAttempts = 50                    // at the lock of the index, which git holds for moments
)

// lockMark begins the file by which a run holds the lock of the index. Git's own
// never has it, so a lock that a killed run left behind is known by it.
const lockMark = "rulecheck staging "

// home is where runs write down what they are about to do.
func home(repo *git.Repo) string { return filepath.Join(repo.GitDir, "rulecheck", "staging") }

func flockOf(repo *git.Repo) *flock.Flock {
	return flock.New(home(repo)+".lock", flock.SetPermissions(0o600))
}

// lockStaging waits for the right to write back in this working tree. The system
// gives it back when its holder ends, however it ends.
func lockStaging(ctx context.Context, repo *git.Repo) (unlock func(), err error) {
	if err := os.MkdirAll(home(repo), 0o700); err != nil {
		return nil, err
	}
	lock := flockOf(repo)
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return nil, fmt.Errorf("wait for another rulecheck to finish writing: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// lockIndex takes the lock of the index as git does: by making a file that must
// not exist. It appears with its mark in it, for which mark is the name of a file
// to be made on the same file system.
func lockIndex(ctx context.Context, index, mark string) error {
	lock := index + ".lock"
	err := os.WriteFile(mark, []byte(lockMark+mark+"\n"), 0o600)
	if err != nil {
		return err
	}
	for range indexAttempts {
		if err = exclusively(mark, lock); !errors.Is(err, fs.ErrExist) {
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
		return fmt.Errorf("lock the index: %s exists: another git process seems to be running in this repository; where none is, an earlier one was killed: remove the file", lock)
	case err != nil:
		return fmt.Errorf("lock the index: %w", err)
	}
	return nil
}

// exclusively makes lock out of mark unless it exists. Where the file system
// knows no links, it is empty for a moment.
func exclusively(mark, lock string) error {
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

// heldByUs reports whether a run of this program holds the lock of an index. One
// that has the right to write and does not hold it itself sees an abandoned lock.
func heldByUs(index string) bool {
	file, err := os.Open(index + ".lock")
	if err != nil {
		return false
	}
	defer file.Close()
	mark := make([]byte, len(lockMark))
	_, err = io.ReadFull(file, mark)
	return err == nil && string(mark) == lockMark
}

// unlockIndex gives up the lock of an index.
func unlockIndex(index string) error {
	if !heldByUs(index) {
		return fmt.Errorf("unlock the index: somebody has removed %s.lock meanwhile", index)
	}
	return os.Remove(index + ".lock")
}
