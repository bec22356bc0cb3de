package git

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile returns a file in memory that is removed when it is closed, or nil if
// the system has none.
func memoryFile() *os.File {
	fd, err := unix.MemfdCreate("git", unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), "git")
}
