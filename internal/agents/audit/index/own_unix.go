//go:build unix

package index

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a directory belongs to the user alone.
func isOwn(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
