//go:build !linux

package git

import "os"

// memoryFile is nil: there are no files without a name here.
func memoryFile() *os.File { return nil }
