package commands

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights of Landlock, https://docs.kernel.org/userspace-api/landlock.html. Only
// writing is restricted, not reading or executing.
const (
	changeFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	changeTrees = changeFiles |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	useTCP = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
)

// The first versions of Landlock with these rights.
const (
	abiTruncate = 3
	abiTCP      = 4
)

// confinement is a set of rules that restricts threads.
type confinement struct {
	ruleset int // file descriptor
	held    bool
}

func abi() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// supported returns the version of Landlock; tests replace it.
var supported = abi

// confinable reports whether the system can prevent writing through links.
func confinable() bool { return supported() >= abiTruncate }

// confine returns rules that allow changes only to writable paths.
func confine(writable []string) (guard, error) {
	version := supported()
	if version < abiTruncate {
		return guard{notice: fmt.Sprintf("commands run without a sandbox: this kernel has Landlock version %d (0: none); want 3 (Linux 6.2) or newer", version)}, nil
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: changeTrees}
	g := guard{links: true}
	if version >= abiTCP {
		attr.Handled_access_net = useTCP
	} else {
		g.notice = "the sandbox does not block the network: this kernel's Landlock is too old; want Linux 6.7 or newer"
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0) //nolint:gosec // the system call takes a structure
	if errno != 0 {
		return guard{}, fmt.Errorf("confine commands: %w", errno)
	}
	g.confinement = confinement{ruleset: int(fd), held: true}
	for _, path := range writable {
		if err := g.allow(path); err != nil {
			return guard{}, errors.Join(fmt.Errorf("confine commands: allow writing to %q: %w", path, err), g.release())
		}
	}
	for _, path := range devices {
		if err := g.allow(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return guard{}, errors.Join(fmt.Errorf("confine commands: allow writing to %q: %w", path, err), g.release())
		}
	}
	return g, nil
}

// allow permits changes at and below path.
func (c confinement) allow(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: changeFiles, Parent_fd: int32(fd)} //nolint:gosec // descriptors are small
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		attr.Allowed_access = changeTrees
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(c.ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0) //nolint:gosec // the system call takes a structure
	if errno != 0 {
		return errno
	}
	return nil
}

// enter restricts the calling thread and every process it starts. This cannot be
// reverted, so the thread must not be used for anything else.
func (c confinement) enter() error {
	if !c.held {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine the command: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(c.ruleset), 0, 0); errno != 0 {
		return fmt.Errorf("confine the command: %w", errno)
	}
	return nil
}

func (c confinement) release() error {
	if !c.held {
		return nil
	}
	return unix.Close(c.ruleset)
}
