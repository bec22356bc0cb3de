// Package async starts a question in the background and lets the caller wait for its
// answer where it is needed.
package async

import (
	"sync"

	"github.com/sourcegraph/conc"
)

// Go runs f in group and returns a function that waits for its result. The result may
// be waited for any number of times, or never; group.Wait returns once f has ended.
func Go[T any](group *conc.WaitGroup, f func() (T, error)) (wait func() (T, error)) {
	result := sync.OnceValues(f)
	group.Go(func() { _, _ = result() }) // the caller of wait gets the error
	return result
}
