//go:build !linux

package terminal

// OutputClosed reports whether standard output was closed when the program started,
// which cannot be found out here.
func OutputClosed() bool { return false }
