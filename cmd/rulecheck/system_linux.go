package main

import "golang.org/x/sys/unix"

// memoryPlace is used if it is in memory, allows running programs, and has
// memoryRoom free bytes.
const (
	memoryPlace = "/dev/shm"
	memoryRoom  = 256 << 20
)

// memoryDir returns a directory for temporary files in memory, empty if there is
// none. Creating a file on disk can take a hundred times as long.
func memoryDir() string {
	var fs unix.Statfs_t
	if unix.Statfs(memoryPlace, &fs) != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&(unix.ST_NOEXEC|unix.ST_RDONLY) != 0 ||
		fs.Bavail*uint64(fs.Bsize) < memoryRoom || unix.Access(memoryPlace, unix.W_OK|unix.X_OK) != nil { //nolint:gosec // sizes of blocks are not negative
		return ""
	}
	return memoryPlace
}

// outputClosed reports whether standard output was closed when the program started. The
// runtime opens /dev/null in its place for reading and writing, so that a lost report
// would go unnoticed. Shells open it for writing only, and most programs set O_CLOEXEC,
// which remains among the flags of the file. A caller that discards standard error as
// well only wants the exit status.
func outputClosed() bool {
	flags, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_GETFL, 0)
	return err == nil && flags&(unix.O_ACCMODE|unix.O_CLOEXEC) == unix.O_RDWR && isNull(unix.Stdout) && !isNull(unix.Stderr)
}

// isNull reports whether a file descriptor is /dev/null.
func isNull(fd int) bool {
	const null = 1<<8 | 3 // its device number
	var info unix.Stat_t
	return unix.Fstat(fd, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFCHR && info.Rdev == null
}
