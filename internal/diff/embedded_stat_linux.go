package diff

import (
	"io/fs"
	"os"
	"syscall"
)

// instant is a time in the form the index has it.
type instant struct{ sec, nsec uint32 }

// stat is what the index remembers of a file.
type stat struct {
	ctime, mtime  instant
	ino, uid, gid uint32
	size          uint32
}

// statOf is what git would put into the index; ok is false where the system does
// not tell.
func statOf(info fs.FileInfo) (s stat, ok bool) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stat{}, false
	}
	// The index has the low 32 bits of each.
	return stat{
		ctime: instant{uint32(sys.Ctim.Sec), uint32(sys.Ctim.Nsec)}, //nolint:gosec // as above
		mtime: instant{uint32(sys.Mtim.Sec), uint32(sys.Mtim.Nsec)}, //nolint:gosec // as above
		ino:   uint32(sys.Ino), uid: sys.Uid, gid: sys.Gid,          //nolint:gosec // as above
		size: uint32(sys.Size), //nolint:gosec // as above
	}, true
}

// ownerOf is the user a file belongs to.
func ownerOf(name string) (int, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return 0, err
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid), nil
	}
	return -1, nil
}

// deviceOf is the file system a directory is on.
func deviceOf(name string) (uint64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Dev, nil
	}
	return 0, nil
}
