package limit

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// interval is how often the heap is measured. Most queries end before the first time.
const interval = 5 * time.Millisecond

// meter measures by how much the heap has grown. While one exists, garbage is collected
// before the heap reaches the bound, so that what is beyond it is in use.
type meter struct{ base uint64 }

// meters counts the meters, and holds the limit that was set before the first.
var meters struct {
	sync.Mutex
	count    int
	previous int64
}

func startMeter() *meter {
	m := &meter{base: heap()}
	meters.Lock()
	defer meters.Unlock()
	if meters.count++; meters.count == 1 {
		meters.previous = debug.SetMemoryLimit(-1)
		if wanted := int64(min(mapped()+memory()*3/4, math.MaxInt64)); wanted < meters.previous {
			debug.SetMemoryLimit(wanted)
		}
	}
	return m
}

func (m *meter) stop() {
	if m == nil {
		return
	}
	meters.Lock()
	defer meters.Unlock()
	if meters.count--; meters.count == 0 {
		debug.SetMemoryLimit(meters.previous)
	}
}

func (m *meter) growth() uint64 {
	h := heap()
	return h - min(h, m.base)
}

func heap() uint64 { return measure("/memory/classes/heap/objects:bytes") }

// mapped returns what the memory limit of the runtime counts.
func mapped() uint64 {
	return measure("/memory/classes/total:bytes") - measure("/memory/classes/heap/released:bytes")
}

func measure(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// leftBehind counts the queries that were abandoned and still run, and aborting those of them
// that end the run.
var leftBehind, aborting atomic.Int64

// allEnded waits until no query is left behind. On a busy machine one that was asked to end may
// need some time to notice. It returns false after timeout, or if the run is to end.
func allEnded(ctx context.Context, timeout time.Duration) bool {
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for leftBehind.Load() > 0 {
		select {
		case <-ctx.Done():
			return false
		case <-deadline.C:
			return false
		case <-ticker.C:
			if aborting.Load() > 0 {
				return false
			}
		}
	}
	return true
}

type abortKey struct{}

// WithAbort returns a context in which a query that was abandoned, and whose memory grows
// on, calls abort once with the reason. It must end the program soon.
func WithAbort(ctx context.Context, abort func(error)) context.Context {
	return context.WithValue(ctx, abortKey{}, abort)
}

// abandon watches a query that does not end.
func abandon[T any](ctx context.Context, done <-chan outcome[T]) {
	leftBehind.Add(1)
	abort, _ := ctx.Value(abortKey{}).(func(error))
	go func() {
		defer leftBehind.Add(-1)
		m := startMeter()
		defer m.stop()
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if m.growth() > memory() && abort != nil {
					aborting.Add(1)
					defer aborting.Add(-1)
					abort(fmt.Errorf("a policy that cannot be ended %w", ErrMemory))
					<-done
					return
				}
			}
		}
	}()
}
