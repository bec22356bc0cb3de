//go:build unix

package staging

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"
)

// sameDevice reports whether two files are on the same file system.
func sameDevice(a, b fs.FileInfo) bool {
	x, known := a.Sys().(*syscall.Stat_t)
	y, too := b.Sys().(*syscall.Stat_t)
	return known && too && x.Dev == y.Dev
}

// HardLinked reports whether a file has several names.
func HardLinked(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && stat.Nlink > 1
}

// keepOwner sets the owner and group of file to those of old, or only the group.
func keepOwner(file *os.File, old fs.FileInfo) {
	if stat, known := old.Sys().(*syscall.Stat_t); known {
		if err := file.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
			_ = file.Chown(-1, int(stat.Gid)) // only root may change owners
		}
	}
}

// renamesInto reports whether renameInto works on this system.
const renamesInto = true

// renameInto renames a file to a name below a root, without following symlinks there.
func renameInto(root *os.Root, from, name string) error {
	dir, err := root.Open(path.Dir(name))
	if err != nil {
		return err
	}
	err = unix.Renameat(unix.AT_FDCWD, from, int(dir.Fd()), path.Base(name))
	return errors.Join(err, dir.Close())
}

// syncDir syncs the names in a directory to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
