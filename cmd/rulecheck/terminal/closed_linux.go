package terminal

import "golang.org/x/sys/unix"

// OutputClosed reports whether standard output was closed when the program started. The
// runtime opens /dev/null in its place for reading and writing, so that a lost report
// would go unnoticed. Shells open it for writing only, and most programs set O_CLOEXEC,
// which remains among the flags of the file. A caller that discards standard error as
// well only wants the exit status.
func OutputClosed() bool {
	flags, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_GETFL, 0)
	return err == nil && flags&(unix.O_ACCMODE|unix.O_CLOEXEC) == unix.O_RDWR && isNull(unix.Stdout) && !isNull(unix.Stderr)
}

// isNull reports whether a file descriptor is /dev/null.
func isNull(fd int) bool {
	const null = 1<<8 | 3 // its device number
	var info unix.Stat_t
	return unix.Fstat(fd, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFCHR && info.Rdev == null
}
