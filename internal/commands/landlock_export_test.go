//go:build linux

package commands

import "testing"

// ABI is the version of Landlock that the kernel has.
func ABI() int { return abi() }

// PretendABI has the kernel be older for the time of a test.
func PretendABI(t *testing.T, version int) {
	t.Helper()
	supported = func() int { return version }
	t.Cleanup(func() { supported = abi })
}
