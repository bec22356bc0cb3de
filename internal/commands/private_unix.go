//go:build unix

package commands

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait keeps an open from waiting for the other end of a pipe.
const noWait = syscall.O_NONBLOCK

// private reports whether only the user can change a directory.
func private(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && int(stat.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
