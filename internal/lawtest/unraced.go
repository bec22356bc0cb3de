//go:build !race

package lawtest

import "testing"

// Sequential skips a test that starts no goroutine and that the race detector slows down by
// seconds. Without the detector it runs.
func Sequential(*testing.T) {}
