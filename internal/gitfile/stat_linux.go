package gitfile

import (
	"io/fs"
	"os"
	"syscall"
)

// Instant is a time as the index stores it.
type Instant struct{ Sec, Nsec uint32 }

// Stat holds the attributes of a file that the index stores.
type Stat struct {
	Ctime, Mtime  Instant
	Ino, UID, GID uint32
	Size          uint32
}

// StatOf returns the attributes that git would store; ok is false if the system does not
// report them.
func StatOf(info fs.FileInfo) (s Stat, ok bool) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stat{}, false
	}
	// The index has the low 32 bits of each.
	return Stat{
		Ctime: Instant{uint32(sys.Ctim.Sec), uint32(sys.Ctim.Nsec)}, //nolint:gosec // as above
		Mtime: Instant{uint32(sys.Mtim.Sec), uint32(sys.Mtim.Nsec)}, //nolint:gosec // as above
		Ino:   uint32(sys.Ino), UID: sys.Uid, GID: sys.Gid,          //nolint:gosec // as above
		Size: uint32(sys.Size), //nolint:gosec // as above
	}, true
}

// Owner returns the id of the user that owns a file.
func Owner(name string) (int, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return 0, err
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid), nil
	}
	return -1, nil
}

// Device returns the id of the file system of a directory.
func Device(name string) (uint64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Dev, nil
	}
	return 0, nil
}
