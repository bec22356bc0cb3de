//go:build race

package lawtest

import "testing"

// Sequential skips a test that starts no goroutine and that the race detector slows down by
// seconds. Without the detector it runs.
func Sequential(t *testing.T) {
	t.Helper()
	t.Skip("starts no goroutine, so the race detector would find nothing; runs without it")
}
