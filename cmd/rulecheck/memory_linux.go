package main

import "golang.org/x/sys/unix"

// What memoryDir wants of the directory: that it is in memory, that programs in it
// can be run, and room in bytes.
const (
	memoryPlace = "/dev/shm"
	memoryRoom  = 256 << 20
)

// memoryDir is a directory for temporary files in memory; empty where there is
// none. On many disks to create a file takes a hundred times as long.
func memoryDir() string {
	var fs unix.Statfs_t
	if unix.Statfs(memoryPlace, &fs) != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&(unix.ST_NOEXEC|unix.ST_RDONLY) != 0 ||
		fs.Bavail*uint64(fs.Bsize) < memoryRoom || unix.Access(memoryPlace, unix.W_OK|unix.X_OK) != nil { //nolint:gosec // sizes of blocks are not negative
		return ""
	}
	return memoryPlace
}
