package atomicfile

import (
	"context"
	"time"

	"github.com/gofrs/flock"
)

// retry is the time between two attempts to lock.
const retry = 2 * time.Millisecond

// Lock waits for the exclusive lock on a file, which it creates, for its owner alone. The
// system releases the lock when the process ends, however it does.
func Lock(ctx context.Context, file string) (unlock func(), err error) {
	lock := newLock(file)
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// TryLock is Lock without waiting: ok is false if another process holds the lock.
func TryLock(file string) (unlock func(), ok bool, err error) {
	lock := newLock(file)
	if ok, err = lock.TryLock(); err != nil || !ok {
		return nil, false, err
	}
	return func() { _ = lock.Unlock() }, true, nil
}

func newLock(file string) *flock.Flock { return flock.New(file, flock.SetPermissions(0o600)) }
