package limit

import "testing"

// SetMemory bounds the memory of the queries of a test.
func SetMemory(t *testing.T, bytes uint64) {
	t.Helper()
	lowered.Store(bytes)
	t.Cleanup(func() { lowered.Store(0) })
}
