package sandbox

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notice is struct seccomp_notif, reply is struct seccomp_notif_resp.
type (
	notice struct {
		id         uint64
		pid, flags uint32
		call       int32
		_          uint32
		_          uint64
		arguments  [6]uint64
	}
	reply struct {
		id    uint64
		value int64
		err   int32
		flags uint32
	}
)

// mediate answers for the calls that the filter refers. It performs them itself, on the
// file that it has looked at: the memory and the descriptors of a program may change at
// any time. It never returns.
func (s *supervisor) mediate(listener int) {
	_ = clearCapabilities() // a program must not get more done than it could do itself
	for {
		n := notice{}
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 { //nolint:gosec // the system call takes a structure
			continue // the program was killed
		}
		go func() { // a connection may have to wait
			r := reply{id: n.id}
			if err := s.perform(listener, &n); err != nil {
				number := unix.EACCES
				errors.As(err, &number)
				r.err = -int32(number)
			}
			_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r))) //nolint:gosec // the system call takes a structure
		}()
	}
}

func (s *supervisor) perform(listener int, n *notice) error {
	c, err := openCaller(int(n.pid))
	if err != nil {
		return err
	}
	defer c.close()
	// The number could belong to another process by now.
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&n.id))); errno != 0 { //nolint:gosec // the system call takes a pointer
		return errno
	}
	a := n.arguments
	switch call := uint32(n.call); { //nolint:gosec // numbers are positive
	case call == unix.SYS_CONNECT:
		return s.connect(c, a)
	case call == unix.SYS_FCHMOD:
		return s.changeMode(c.file(a[0]), a[1])
	case call == unix.SYS_FCHMODAT:
		return s.changeModeAt(c, a[0], a[1], a[2], 0)
	case call == unix.SYS_FCHMODAT2:
		return s.changeModeAt(c, a[0], a[1], a[2], a[3])
	case slices.Contains(legacyModes, call):
		return s.changeModeAt(c, atWorkingDirectory, a[0], a[1], 0)
	}
	return unix.ENOSYS
}

// atWorkingDirectory is AT_FDCWD as an argument.
const atWorkingDirectory = 1<<64 + unix.AT_FDCWD

// caller is the process whose call is performed.
type caller struct {
	pid    int
	pidfd  int
	opened []int
}

func openCaller(pid int) (*caller, error) {
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		// A thread has no such descriptor before Linux 6.9, but its process has the same files.
		if pidfd, err = unix.PidfdOpen(pid, unix.PIDFD_THREAD); err != nil {
			pidfd, err = unix.PidfdOpen(leader(pid), 0)
		}
	}
	if err != nil {
		return nil, err
	}
	return &caller{pid: pid, pidfd: pidfd}, nil
}

// leader returns the number of the process that a thread belongs to.
func leader(thread int) int {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(thread) + "/status")
	for line := range strings.Lines(string(status)) {
		if number, ok := strings.CutPrefix(line, "Tgid:"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
				return n
			}
		}
	}
	return thread
}

func (c *caller) close() {
	for _, fd := range append(c.opened, c.pidfd) {
		_ = unix.Close(fd)
	}
}

// file returns a copy of a descriptor of the caller, or -1.
func (c *caller) file(number uint64) int {
	fd, err := unix.PidfdGetfd(c.pidfd, int(int32(number)), 0) //nolint:gosec // as the kernel reads it
	if err != nil {
		return -1
	}
	c.opened = append(c.opened, fd)
	return fd
}

// text reads a string of the caller's memory.
func (c *caller) text(address uint64) (string, error) {
	var text []byte
	for len(text) < unix.PathMax {
		part, err := c.memory(address, min(pageSize-address%pageSize, unix.PathMax))
		if err != nil {
			return "", err
		}
		before, _, ended := bytes.Cut(part, []byte{0})
		text, address = append(text, before...), address+uint64(len(part))
		if ended {
			return string(text), nil
		}
	}
	return "", unix.ENAMETOOLONG
}

const pageSize = 4096

func (c *caller) memory(address, size uint64) ([]byte, error) {
	data := make([]byte, size)
	local := []unix.Iovec{{Base: &data[0]}}
	local[0].SetLen(len(data))
	n, err := unix.ProcessVMReadv(c.pid, local, []unix.RemoteIovec{{Base: uintptr(address), Len: int(size)}}, 0) //nolint:gosec // sizes are small
	if err != nil || n == 0 {
		return nil, unix.EFAULT
	}
	return data[:n], nil
}

// find opens a file by a path of the caller, without reading or waiting for it.
func (c *caller) find(dir uint64, path string, flags int) (int, error) {
	from := unix.AT_FDCWD
	if !strings.HasPrefix(path, "/") {
		if int32(dir) == unix.AT_FDCWD { //nolint:gosec // as the kernel reads it
			var err error
			if from, err = unix.Open("/proc/"+c.number()+"/cwd", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
				return -1, err
			}
			c.opened = append(c.opened, from)
		} else if from = c.file(dir); from < 0 {
			return -1, unix.EBADF
		}
	}
	fd, err := unix.Openat(from, path, unix.O_PATH|unix.O_CLOEXEC|flags, 0)
	if err == nil {
		c.opened = append(c.opened, fd)
	}
	return fd, err
}

// number returns the caller's number in /proc, which may be the one of another namespace.
func (c *caller) number() string {
	info, err := os.ReadFile("/proc/self/fdinfo/" + strconv.Itoa(c.pidfd))
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if number, ok := strings.CutPrefix(line, "Pid:"); ok {
				return strings.TrimSpace(number)
			}
		}
	}
	return strconv.Itoa(c.pid)
}

// inside returns a name for an open file if programs can change it.
func (s *supervisor) inside(fd int) (name string, ok bool) {
	name = "/proc/self/fd/" + strconv.Itoa(fd)
	path, err := os.Readlink(name)
	return name, err == nil && slices.ContainsFunc(s.writable, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}

// connect connects a socket of the caller. Sockets with a path must be inside.
func (s *supervisor) connect(c *caller, a [6]uint64) error {
	const family = 2
	socket := c.file(a[0])
	if socket < 0 {
		return unix.EBADF
	}
	domain, err := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return err
	}
	size := uint64(uint32(a[2])) //nolint:gosec // as the kernel reads it
	if size < family || size > unix.SizeofSockaddrAny {
		return unix.EINVAL
	}
	address, err := c.memory(a[1], size)
	if err != nil {
		return err
	}
	if path := address[family:]; domain == unix.AF_UNIX && address[0] == unix.AF_UNIX && address[1] == 0 {
		if len(path) == 0 || path[0] == 0 {
			if s.level != Namespaces {
				return unix.ECONNREFUSED // their names are those of the whole system
			}
		} else {
			if end := bytes.IndexByte(path, 0); end >= 0 {
				path = path[:end]
			}
			fd, err := c.find(atWorkingDirectory, string(path), 0)
			if err != nil {
				return err
			}
			name, ok := s.inside(fd)
			if !ok {
				return unix.EACCES
			}
			address = append([]byte{unix.AF_UNIX, 0}, append([]byte(name), 0)...)
		}
	}
	_, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(socket), uintptr(unsafe.Pointer(&address[0])), uintptr(len(address))) //nolint:gosec // the system call takes a pointer
	if errno != 0 {
		return errno
	}
	return nil
}

func (s *supervisor) changeModeAt(c *caller, dir, address, mode, flags uint64) error {
	path, err := c.text(address)
	if err != nil {
		return err
	}
	if path == "" && flags&unix.AT_EMPTY_PATH != 0 {
		return s.changeMode(c.file(dir), mode)
	}
	follow := 0
	if flags&unix.AT_SYMLINK_NOFOLLOW != 0 {
		follow = unix.O_NOFOLLOW
	}
	fd, err := c.find(dir, path, follow)
	if err != nil {
		return err
	}
	return s.changeMode(fd, mode)
}

// changeMode changes the mode of an open file that is inside.
func (s *supervisor) changeMode(fd int, mode uint64) error {
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	name, ok := s.inside(fd)
	switch {
	case !ok:
		return unix.EPERM
	case info.Mode&unix.S_IFMT == unix.S_IFLNK:
		return unix.EOPNOTSUPP
	}
	return unix.Chmod(name, uint32(mode)&0o777) //nolint:gosec // the other bits are not used
}
