package sandbox_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// young is an attack by a call that older kernels or some file systems do not have.
func young(name string, do func(w *world) error) attack {
	a := file("Modes, owners, times, attributes", name, do)
	a.rare = true
	return a
}

func put(name string, flags int) error {
	fd, err := unix.Open(name, flags|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte("attacked"))
	return err
}

// readOnly opens a file for reading and passes its descriptor.
func readOnly(name string, use func(fd int) error) error {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return use(fd)
}

func self(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// raw makes a system call of at most six arguments.
func raw(call uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(call, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

func text(s string) uintptr {
	p, _ := unix.BytePtrFromString(s)
	return uintptr(unsafe.Pointer(p))
}

var fileAttacks = []attack{
	file("Files", "write to a file", func(w *world) error { return put(w.Victim, unix.O_WRONLY) }),
	file("Files", "append to a file", func(w *world) error { return put(w.Victim, unix.O_WRONLY|unix.O_APPEND) }),
	file("Files", "truncate a file", func(w *world) error { return unix.Truncate(w.Victim, 0) }),
	file("Files", "truncate a file that is opened for reading", func(w *world) error { return put(w.Victim, unix.O_RDONLY|unix.O_TRUNC) }),
	file("Files", "create a file", func(w *world) error { return put(w.Dir+"/new", unix.O_WRONLY|unix.O_CREAT) }),
	file("Files", "create a file without a name, then link it", func(w *world) error {
		fd, err := unix.Open(w.Dir, unix.O_TMPFILE|unix.O_RDWR, 0o644)
		if err != nil {
			return err
		}
		return unix.Linkat(unix.AT_FDCWD, self(fd), unix.AT_FDCWD, w.Dir+"/new", unix.AT_SYMLINK_FOLLOW)
	}),
	file("Files", "create a directory", func(w *world) error { return os.Mkdir(w.Dir+"/new", 0o755) }),
	file("Files", "remove a directory", func(w *world) error { return os.Remove(w.Dir + "/sub") }),
	file("Files", "remove a file", func(w *world) error { return os.Remove(w.Victim) }),
	file("Files", "rename a file", func(w *world) error { return os.Rename(w.Victim, w.Dir+"/renamed") }),
	file("Files", "move a file into the copy", func(w *world) error {
		if err := os.Rename(w.Victim, w.Scratch+"/stolen"); !errors.Is(err, unix.EXDEV) {
			return err
		}
		return os.Remove(w.Victim) // as mv does
	}),
	file("Files", "move a file of the copy over another", func(w *world) error {
		if err := put(w.Scratch+"/mine", unix.O_CREAT|unix.O_WRONLY); err != nil {
			return err
		}
		if err := os.Rename(w.Scratch+"/mine", w.Victim); !errors.Is(err, unix.EXDEV) {
			return err
		}
		return put(w.Victim, unix.O_WRONLY)
	}),
	file("Files", "exchange two files", func(w *world) error {
		return unix.Renameat2(unix.AT_FDCWD, w.Victim, unix.AT_FDCWD, w.Dir+"/sub", unix.RENAME_EXCHANGE)
	}),
	file("Files", "hard link a file into its directory", func(w *world) error { return os.Link(w.Victim, w.Dir+"/linked") }),
	file("Files", "hard link a file into the copy and write", func(w *world) error {
		if err := os.Link(w.Victim, w.Scratch+"/linked"); err != nil && !errors.Is(err, unix.EXDEV) {
			return err
		}
		if put(w.Scratch+"/linked", unix.O_WRONLY) == nil {
			return nil
		}
		return put(w.Victim, unix.O_WRONLY)
	}),
	file("Files", "create a symlink", func(w *world) error { return os.Symlink("victim", w.Dir+"/linked") }),
	file("Files", "write through a symlink of the copy", func(w *world) error {
		_ = os.Symlink(w.Victim, w.Scratch+"/symlink-write")
		return put(w.Scratch+"/symlink-write", unix.O_WRONLY)
	}),
	file("Files", "write through a directory symlink of the copy", func(w *world) error {
		_ = os.Symlink(w.Dir, w.Scratch+"/symlink-dir")
		return put(w.Scratch+"/symlink-dir/victim", unix.O_WRONLY)
	}),
	file("Files", "write through /proc/self/root", func(w *world) error { return put("/proc/self/root"+w.Victim, unix.O_WRONLY) }),
	file("Files", "write through the working directory", func(w *world) error {
		if err := os.Chdir(w.Dir); err != nil {
			return err
		}
		return put("/proc/self/cwd/sub/../victim", unix.O_WRONLY)
	}),
	file("Files", "open a descriptor for reading again, for writing", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return put(self(fd), unix.O_WRONLY) })
	}),
	file("Files", "open a path descriptor for writing", func(w *world) error {
		fd, err := unix.Open(w.Victim, unix.O_PATH, 0)
		if err != nil {
			return err
		}
		return put(self(fd), unix.O_WRONLY)
	}),
	file("Files", "write by relative names of a directory descriptor", func(w *world) error {
		dir, err := unix.Open(w.Dir, unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		fd, err := unix.Openat(dir, "victim", unix.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = unix.Write(fd, []byte("attacked"))
		return err
	}),
	file("Files", "create a named pipe", func(w *world) error { return unix.Mkfifo(w.Dir+"/pipe", 0o644) }),
	file("Files", "create a socket", func(w *world) error {
		l, err := net.Listen("unix", w.Dir+"/socket")
		if err == nil {
			l.(*net.UnixListener).SetUnlinkOnClose(false)
			l.Close()
		}
		return err
	}),
	{group: "Files", name: "write to a named pipe", do: func(w *world) error { return put(w.Pipe, unix.O_WRONLY|unix.O_NONBLOCK) }, effect: (*outside).written},
	{group: "Files", name: "write to a file that the caller left open", supervised: true, effect: (*outside).changed, do: func(w *world) error {
		for fd := range 100 {
			if name, _ := os.Readlink(self(fd)); name == w.Open {
				_, err := unix.Write(fd, []byte("attacked"))
				return err
			}
		}
		return errors.New("no such descriptor")
	}},
	file("Files", "write to the user's /dev/shm", func(w *world) error { return put(w.Shared, unix.O_WRONLY) }),
	file("Files", "remove the user's files in /dev/shm", func(w *world) error { return os.Remove(w.Shared) }),
	{group: "Files", name: "move the scratch directory away and put a symlink there", do: func(w *world) error {
		scratch := filepath.Dir(w.Scratch)
		if err := os.Rename(scratch, scratch+".moved"); err != nil {
			return err
		}
		err := os.Symlink(w.Dir, scratch)
		return errors.Join(err, os.Remove(scratch), os.Rename(scratch+".moved", scratch))
	}},
	{group: "Files", name: "move the copy away and put a symlink there", do: func(w *world) error {
		if err := os.Rename(w.Scratch, w.Scratch+".moved"); err != nil {
			return err
		}
		err := os.Symlink(w.Dir, w.Scratch)
		return errors.Join(err, os.Remove(w.Scratch), os.Rename(w.Scratch+".moved", w.Scratch))
	}},
}

// setFlags sets the attribute "no dump" of a file.
func setFlags(fd int) error {
	const noDump = 0x40
	flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, int(flags|noDump))
}

type fsxattr struct {
	flags, extent, next, project, cow uint32
	_                                 [8]byte
}

var metadataAttacks = []attack{
	file("Modes, owners, times, attributes", "chmod", func(w *world) error { return unix.Chmod(w.Victim, 0o600) }),
	file("Modes, owners, times, attributes", "chmod of a directory", func(w *world) error { return unix.Chmod(w.Dir, 0o700) }),
	file("Modes, owners, times, attributes", "fchmod of a file opened for reading", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return unix.Fchmod(fd, 0o600) })
	}),
	file("Modes, owners, times, attributes", "fchmodat", func(w *world) error {
		return readOnly(w.Dir, func(fd int) error { return unix.Fchmodat(fd, "victim", 0o600, 0) })
	}),
	young("fchmodat2", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return raw(unix.SYS_FCHMODAT2, uintptr(fd), text(""), 0o600, unix.AT_EMPTY_PATH) })
	}),
	file("Modes, owners, times, attributes", "chmod through a symlink of the copy", func(w *world) error {
		_ = os.Symlink(w.Victim, w.Scratch+"/symlink-mode")
		return unix.Chmod(w.Scratch+"/symlink-mode", 0o600)
	}),
	file("Modes, owners, times, attributes", "chmod through /proc/self/fd", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return unix.Chmod(self(fd), 0o600) })
	}),
	race(file("Modes, owners, times, attributes", "chmod of a name that alternates with one of the copy", func(w *world) error {
		if err := put(w.Scratch+"/own", unix.O_CREAT|unix.O_WRONLY); err != nil {
			return err
		}
		alternate(func(i int) {
			_ = os.Symlink([]string{w.Scratch + "/own", w.Victim}[i], w.Scratch+"/next")
			_ = os.Rename(w.Scratch+"/next", w.Scratch+"/alternating")
		}, func() { _ = unix.Chmod(w.Scratch+"/alternating", 0o600) })
		return nil
	})),
	file("Modes, owners, times, attributes", "chown", func(w *world) error { return unix.Chown(w.Victim, os.Getuid(), os.Getgid()) }),
	file("Modes, owners, times, attributes", "lchown", func(w *world) error { return unix.Lchown(w.Victim, os.Getuid(), os.Getgid()) }),
	file("Modes, owners, times, attributes", "fchown of a file opened for reading", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return unix.Fchown(fd, os.Getuid(), os.Getgid()) })
	}),
	file("Modes, owners, times, attributes", "fchownat", func(w *world) error {
		return unix.Fchownat(unix.AT_FDCWD, w.Victim, os.Getuid(), os.Getgid(), 0)
	}),
	{group: "Modes, owners, times, attributes", name: "give a file to another user", root: true, do: func(w *world) error { return unix.Chown(w.Victim, ordinary, ordinary) }, effect: (*outside).changed},
	file("Modes, owners, times, attributes", "utimes", func(w *world) error { return unix.Utimes(w.Victim, []unix.Timeval{{Sec: 1}, {Sec: 1}}) }),
	file("Modes, owners, times, attributes", "utimensat", func(w *world) error {
		return unix.UtimesNanoAt(unix.AT_FDCWD, w.Victim, []unix.Timespec{{Sec: 1}, {Sec: 1}}, 0)
	}),
	file("Modes, owners, times, attributes", "futimens of a file opened for reading", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return raw(unix.SYS_UTIMENSAT, uintptr(fd), 0, 0, 0) })
	}),
	file("Modes, owners, times, attributes", "setxattr", func(w *world) error { return unix.Setxattr(w.Victim, "user.y", []byte("1"), 0) }),
	file("Modes, owners, times, attributes", "fsetxattr of a file opened for reading", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error { return unix.Fsetxattr(fd, "user.y", []byte("1"), 0) })
	}),
	file("Modes, owners, times, attributes", "removexattr", func(w *world) error { return unix.Removexattr(w.Victim, "user.x") }),
	young("setxattrat", func(w *world) error {
		value := []byte("1")
		arguments := struct {
			value       uint64
			size, flags uint32
		}{uint64(uintptr(unsafe.Pointer(&value[0]))), 1, 0}
		at := unix.AT_FDCWD
		return raw(unix.SYS_SETXATTRAT, uintptr(at), text(w.Victim), 0, text("user.y"), uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments))
	}),
	file("Modes, owners, times, attributes", "an access control list", func(w *world) error {
		// Version 2; user::rw-, user:1:rwx, group::r--, mask::rwx, other::r--.
		list := []byte{2, 0, 0, 0}
		for _, e := range [][2]uint16{{1, 6}, {2, 7}, {4, 4}, {16, 7}, {32, 4}} {
			id := byte(255)
			if e[0] == 2 {
				id = 0
			}
			first := id
			if e[0] == 2 {
				first = 1
			}
			list = append(list, byte(e[0]), 0, byte(e[1]), 0, first, id, id, id)
		}
		return unix.Setxattr(w.Victim, "system.posix_acl_access", list, 0)
	}),
	young("chattr", func(w *world) error { return readOnly(w.Victim, setFlags) }),
	young("FS_IOC_FSSETXATTR", func(w *world) error {
		return readOnly(w.Victim, func(fd int) error {
			const get, set, noDump = 0x801c581f, 0x401c5820, 0x80
			var attributes fsxattr
			if err := raw(unix.SYS_IOCTL, uintptr(fd), get, uintptr(unsafe.Pointer(&attributes))); err != nil {
				return err
			}
			attributes.flags |= noDump
			return raw(unix.SYS_IOCTL, uintptr(fd), set, uintptr(unsafe.Pointer(&attributes)))
		})
	}),
	young("file_setattr", func(w *world) error {
		const noDump = 0x80
		attributes := struct {
			flags                      uint64
			extent, next, project, cow uint32
		}{flags: noDump}
		at := unix.AT_FDCWD
		return raw(unix.SYS_FILE_SETATTR, uintptr(at), text(w.Victim), uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	}),
	{group: "Modes, owners, times, attributes", name: "a lease, for which others wait", do: func(w *world) error {
		return readOnly(w.Victim, func(fd int) error {
			_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
			return err
		})
	}},
}
