//go:build !linux

package watch

import (
	"context"
	"time"
)

// Watcher lets a check run every now and then.
type Watcher struct{}

// interval is the time between two checks. A git that watches files itself answers them fast.
const interval = 2 * time.Second

// Open watches nothing: systems other than Linux report changes in other ways.
func Open([]string, []string, func(dir string) bool, func() time.Time) (*Watcher, error) {
	return &Watcher{}, nil
}

// Close does nothing.
func (*Watcher) Close() error { return nil }

// Wait waits for the time of the next check.
func (*Watcher) Wait(ctx context.Context) ([]string, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(max(quiet, interval)):
		return nil, nil
	}
}

// Exact reports whether only changes end a wait.
const Exact = false
