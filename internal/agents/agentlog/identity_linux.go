package agentlog

import (
	"io/fs"
	"syscall"
	"time"
)

// identity returns the number of a file, and when its content, name or mode changed, which
// programs cannot set.
func identity(info fs.FileInfo) (number int64, changed time.Time) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}
	}
	return int64(s.Ino), time.Unix(s.Ctim.Unix()) //nolint:gosec // only compared
}
