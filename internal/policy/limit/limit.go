// Package limit bounds the time and memory that policies and conditions may use, whatever
// builtin they are in.
package limit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Time is how long a policy or a condition may take to answer.
	Time = 5 * time.Second
	// CompileTime is how long it may take to compile policies or conditions.
	CompileTime = 10 * time.Second
	// Memory is by how many bytes the heap may grow while one is evaluated.
	Memory = 1 << 30
)

// lowered is set by tests.
var lowered atomic.Uint64

func memory() uint64 { return cmp.Or(lowered.Load(), Memory) }

// ErrMemory reports that an evaluation needed more than [Memory].
var ErrMemory = errors.New("needs more than 1 GiB of memory")

// A query that does not end this long after it was cancelled is abandoned.
const grace = 100 * time.Millisecond

// shared is held by each evaluation. One that had to stop because memory was short holds
// it alone when it is tried again, once those that were left behind have ended, so that the
// error names the one that needs the memory.
var shared sync.RWMutex

// Run evaluates a query and returns its error, or an error if it takes longer than timeout
// or needs more than [Memory]. A query that ignores its context is left behind: Go cannot
// end it. If its memory goes on growing, Run ends the whole run by the function that
// [WithAbort] set.
func Run[T any](ctx context.Context, timeout time.Duration, query func(context.Context) (T, error)) (T, error) {
	shared.RLock()
	result, err := run(ctx, timeout, query)
	shared.RUnlock()
	if !errors.Is(err, ErrMemory) || !allEnded(ctx, timeout) {
		return result, err
	}
	shared.Lock()
	defer shared.Unlock()
	return run(ctx, timeout, query)
}

// outcome holds the answer of a query.
type outcome[T any] struct {
	value T
	err   error
}

func run[T any](ctx context.Context, timeout time.Duration, query func(context.Context) (T, error)) (T, error) {
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan outcome[T], 1)
	var none T
	start(func() {
		var o outcome[T]
		defer func() {
			if r := recover(); r != nil { // of a builtin; in a goroutine it ends the process
				o.err = fmt.Errorf("panicked: %v", r)
			}
			done <- o
		}()
		o.value, o.err = query(bounded)
	})
	var m *meter
	defer func() { m.stop() }()
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case o := <-done:
			return o.value, o.err
		case <-ctx.Done():
			return none, end(ctx, cancel, context.Cause(ctx), done)
		case <-deadline.C:
			return none, end(ctx, cancel, fmt.Errorf("no answer within %s", timeout), done)
		case <-ticker.C:
			if m == nil {
				m = startMeter()
			}
			if m.growth() > memory() {
				return none, end(ctx, cancel, ErrMemory, done)
			}
		}
	}
}

// end cancels a query and returns the reason.
func end[T any](ctx context.Context, cancel context.CancelCauseFunc, reason error, done chan outcome[T]) error {
	cancel(reason)
	select {
	case <-done:
		if errors.Is(reason, ErrMemory) {
			debug.FreeOSMemory()
		}
		return reason
	case <-time.After(grace):
	}
	abandon(ctx, done)
	return reason
}
