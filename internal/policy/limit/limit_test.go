package limit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/policy/limit"
)

const minute = time.Minute

func TestRunReturnsTheAnswer(t *testing.T) {
	broken := errors.New("broken")
	for range 3 {
		if got, err := limit.Run(t.Context(), minute, func(context.Context) (int, error) { return 7, broken }); got != 7 || err != broken { //nolint:errorlint // the very same
			t.Errorf("Run = %d, %v; want the answer and its error", got, err)
		}
	}
}

// ignoring returns a query that ignores its context until the test ends.
func ignoring(t *testing.T) func(context.Context) (int, error) {
	t.Helper()
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	return func(context.Context) (int, error) { <-end; return 0, nil }
}

func TestRunGivesUp(t *testing.T) {
	_, err := limit.Run(t.Context(), time.Millisecond, ignoring(t))
	if err == nil || err.Error() != "no answer within 1ms" {
		t.Errorf("Run: %v; want the timeout", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := limit.Run(ctx, minute, ignoring(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v; want the interrupt", err)
	}
}

func TestRunCatchesPanics(t *testing.T) {
	_, err := limit.Run(t.Context(), minute, func(context.Context) (int, error) { panic("much") })
	if err == nil || err.Error() != "panicked: much" {
		t.Errorf("Run: %v; want the panic as an error", err)
	}
}

// grow allocates until it has n MiB or ctx ends, and holds them until then.
func grow(ctx context.Context, n int) (int, error) {
	var held [][]byte
	for range n {
		held = append(held, []byte(strings.Repeat("x", 1<<20)))
		time.Sleep(100 * time.Microsecond)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	for range 10 {
		time.Sleep(5 * time.Millisecond)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return len(held), nil
}

// TestRunBoundsMemory runs queries side by side, one of which needs too much. The others
// have to stop for it, and are answered all the same.
func TestRunBoundsMemory(t *testing.T) {
	limit.SetMemory(t, 64<<20)
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			size := 16
			if i == 3 {
				size = 10_000
			}
			got, err := limit.Run(t.Context(), minute, func(ctx context.Context) (int, error) { return grow(ctx, size) })
			switch {
			case i == 3 && !errors.Is(err, limit.ErrMemory):
				t.Errorf("the large one: %v; want ErrMemory", err)
			case i != 3 && (err != nil || got != size):
				t.Errorf("a small one: %d, %v; want its answer", got, err)
			}
		})
	}
	group.Wait()
}

// TestRunAborts holds that a query that ignores its context and goes on growing ends the
// run.
func TestRunAborts(t *testing.T) {
	limit.SetMemory(t, 64<<20)
	aborted := make(chan error, 1)
	stop, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	t.Cleanup(func() { cancel(); <-ended })
	ctx := limit.WithAbort(t.Context(), func(err error) { aborted <- err })
	_, err := limit.Run(ctx, minute, func(context.Context) (int, error) {
		defer close(ended)
		return grow(stop, 100_000)
	})
	if !errors.Is(err, limit.ErrMemory) {
		t.Errorf("Run: %v; want ErrMemory", err)
	}
	if err := <-aborted; !errors.Is(err, limit.ErrMemory) {
		t.Errorf("abort: %v; want ErrMemory", err)
	}
}
