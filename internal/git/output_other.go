//go:build !linux

package git

import "os"

// memoryFile returns nil: this system has no files in memory.
func memoryFile() *os.File { return nil }
