package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine restricts the calling thread and every program that it starts, for ever. It
// returns the descriptor from which the kernel's questions are read, or -1.
func (s *supervisor) confine() (listener int, err error) {
	if s.level == None {
		return -1, nil
	}
	// A new session keyring without a name: the user's keys are out of reach.
	_, _, _ = unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0)
	if err := dropCapabilities(); err != nil {
		return -1, err
	}
	if err := s.restrictFiles(); err != nil {
		return -1, fmt.Errorf("landlock: %w", err)
	}
	if listener, err = filter(s.level == Namespaces); err != nil {
		return -1, fmt.Errorf("seccomp: %w", err)
	}
	return listener, nil
}

// dropCapabilities removes every capability of the calling thread and the ways to get
// one. A thread without privileges has none to lose.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	// These need a capability; without it there is none to drop.
	for number := range uintptr(64) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, number, 0, 0, 0); err != nil {
			break
		}
	}
	const locked = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<5 | 1<<6 | 1<<7 // no rights for uid 0, none kept or ambient
	_ = unix.Prctl(unix.PR_SET_SECUREBITS, locked, 0, 0, 0)
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	return clearCapabilities()
}

func clearCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}

// Rights of Landlock, https://docs.kernel.org/userspace-api/landlock.html. Only
// changing is restricted, not reading or executing.
const (
	changeFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	changeTrees = changeFiles |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	makeDevice = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	useTCP     = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	scopes     = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// The first versions of Landlock with these rights.
const (
	abiTruncate = 3
	abiTCP      = 4
	abiDevices  = 5
	abiScopes   = 6
)

func landlockABI() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// lacking returns why a version of Landlock does not suffice; empty if it does.
func lacking(version int) string {
	if version >= abiTruncate && filterable {
		return ""
	}
	return fmt.Sprintf("Landlock has version %d (0: none); want 3 (Linux 6.2) or newer", version)
}

// restrictFiles has Landlock deny changes of files that are not writable. In namespaces
// it only complements the read-only mounts, which do not cover pipes.
func (s *supervisor) restrictFiles() error {
	version := landlockABI()
	if version < abiTruncate {
		if s.level == Namespaces {
			return nil
		}
		return errors.New(lacking(version))
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: changeTrees | makeDevice}
	// In its own network a program may use TCP.
	if version >= abiTCP && s.level == Landlock {
		attr.Handled_access_net = useTCP
	}
	devicePaths := append([]string{}, devices[:len(devices)-1]...) // the terminal is the user's
	if s.level == Namespaces {
		devicePaths = slices.Concat(devices, []string{"/dev/ptmx", "/dev/pts"})
	}
	if version >= abiDevices {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= abiScopes {
		attr.Scoped = scopes
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0) //nolint:gosec // the system call takes a structure
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	for _, path := range append(devicePaths, s.writable...) {
		if err := allow(int(fd), path, attr.Handled_access_fs); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("allow changing %s: %w", path, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow permits changes at and below path.
func allow(ruleset int, path string, handled uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: changeFiles, Parent_fd: int32(fd)} //nolint:gosec // descriptors are small
	switch info.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		attr.Allowed_access = changeTrees
		if path == "/dev/pts" {
			attr.Allowed_access |= handled & unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
		}
	case unix.S_IFCHR:
		attr.Allowed_access |= handled & unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0) //nolint:gosec // the system call takes a structure
	if errno != 0 {
		return errno
	}
	return nil
}
