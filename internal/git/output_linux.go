package git

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile is a file that has no name and is gone when it is closed; nil where the
// system has none to give.
func memoryFile() *os.File {
	fd, err := unix.MemfdCreate("git", unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), "git")
}
