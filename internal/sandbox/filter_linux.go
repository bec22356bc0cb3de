//go:build amd64 || arm64

package sandbox

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// program is a filter of system calls, as in
// https://docs.kernel.org/userspace-api/seccomp_filter.html: for each call that matters a jump, for few of them
// an argument is compared. What it does not name is allowed.
type program []unix.SockFilter

// Instructions of the filter.
const (
	load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	anyBit  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	mask    = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
	result  = unix.BPF_RET | unix.BPF_K
)

// Offsets in struct seccomp_data. Of the arguments, the lower halves are compared.
const (
	callNumber   = 0
	architecture = 4
)

func argument(n uint32) uint32 { return 16 + 8*n }

func (p *program) add(code uint16, yes, no uint8, k uint32) {
	*p = append(*p, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

func denied(number unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(number) } //nolint:gosec // error numbers are small

// answer gives the calls one result.
func (p *program) answer(with uint32, calls ...uint32) {
	for _, call := range calls {
		p.add(equal, 0, 1, call)
		p.add(result, 0, 0, with)
	}
}

// only adds a block for one call. The block ends with allowed.
func (p *program) only(call uint32, block func(*program)) {
	var inner program
	block(&inner)
	inner.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
	p.add(equal, 0, uint8(len(inner)), call) //nolint:gosec // blocks are short
	*p = append(*p, inner...)
}

// unless denies a call if an argument is none of the values.
func (p *program) unless(arg uint32, with uint32, values ...uint32) {
	p.add(load, 0, 0, argument(arg))
	for i, v := range values {
		p.add(equal, uint8(len(values)-i), 0, v) //nolint:gosec // lists are short
	}
	p.add(result, 0, 0, with)
}

// filter installs the filter for the calling thread and returns the listener: the
// descriptor to which calls are referred that depend on what a pointer points to. In
// namespaces the filter may be weaker: most calls reach nothing outside.
func filter(namespaces bool) (listener int, err error) {
	if !filterable {
		return -1, nil
	}
	p := filterProgram(namespaces)
	f := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]} //nolint:gosec // it has some hundred instructions
	install := func(flags uintptr) (uintptr, unix.Errno) {
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|flags, uintptr(unsafe.Pointer(&f))) //nolint:gosec // the system call takes a structure
		return fd, errno
	}
	// A signal must not interrupt a call that is being performed, and have it repeated. Linux
	// before 5.19 cannot prevent that.
	fd, errno := install(unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	if errno == unix.EINVAL {
		fd, errno = install(0)
	}
	if errno != 0 {
		return -1, errno
	}
	unix.CloseOnExec(int(fd))
	return int(fd), nil
}

func filterProgram(namespaces bool) program {
	missing, refused := denied(unix.ENOSYS), denied(unix.EPERM)
	var p program
	p.add(load, 0, 0, architecture)
	p.add(equal, 1, 0, auditArch)
	p.add(result, 0, 0, missing) // 32-bit programs
	p.add(load, 0, 0, callNumber)
	p.add(atLeast, 0, 1, 0x40000000) // x32
	p.add(result, 0, 0, missing)
	// Programs do without these. io_uring does what the filter does not see, and the flags
	// of clone3 are behind a pointer.
	p.answer(missing, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3)
	p.answer(refused, refusedCalls...)
	p.only(unix.SYS_CLONE, func(p *program) {
		p.add(load, 0, 0, argument(0))
		p.add(anyBit, 0, 1, newNamespaces)
		p.add(result, 0, 0, refused)
	})
	p.only(unix.SYS_MKNODAT, func(p *program) { filterNodes(p, 2) })
	for _, call := range legacyNodes {
		p.only(call, func(p *program) { filterNodes(p, 1) })
	}
	p.only(unix.SYS_IOCTL, filterControls)
	p.only(unix.SYS_FCNTL, func(p *program) { // a lease stops others from opening a file
		p.add(load, 0, 0, argument(1))
		p.add(equal, 0, 1, unix.F_SETLEASE)
		p.add(result, 0, 0, refused)
	})
	// Through a pair of datagram sockets any socket with a path can be written to.
	p.only(unix.SYS_SOCKETPAIR, func(p *program) {
		p.add(load, 0, 0, argument(1))
		p.add(mask, 0, 0, socketTypes)
		p.add(equal, 1, 0, unix.SOCK_STREAM)
		p.add(equal, 0, 1, unix.SOCK_SEQPACKET)
		p.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
		p.add(result, 0, 0, denied(unix.EPROTONOSUPPORT))
	})
	p.only(unix.SYS_SOCKET, func(p *program) { filterSockets(p, namespaces) })
	p.answer(unix.SECCOMP_RET_USER_NOTIF, unix.SYS_CONNECT)
	if !namespaces {
		filterShared(&p)
	}
	p.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
	return p
}

const (
	newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	socketTypes   = 0xf
)

// refusedCalls have no use in a formatter or linter.
var refusedCalls = []uint32{
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOUNT_SETATTR,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_FSCONFIG, unix.SYS_CHROOT,
	unix.SYS_SYSLOG, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
	unix.SYS_KCMP, unix.SYS_VHANGUP, unix.SYS_ACCT, unix.SYS_SWAPON, unix.SYS_REBOOT,
}

// filterNodes allows pipes and sockets, but no devices.
func filterNodes(p *program, mode uint32) {
	p.add(load, 0, 0, argument(mode))
	p.add(mask, 0, 0, unix.S_IFMT)
	for _, kind := range []uint32{unix.S_IFCHR, unix.S_IFBLK} {
		p.add(equal, 0, 1, kind)
		p.add(result, 0, 0, denied(unix.EPERM))
	}
}

// filterControls allows ioctl, except for those that type into a terminal or change the
// attributes of a file, for which reading it would suffice.
func filterControls(p *program) {
	const setFlags, setFlagsOf32, setVersion, setAttributes, enableVerity = 0x40086602, 0x40046602, 0x40087602, 0x401c5820, 0x40806685
	p.add(load, 0, 0, argument(1))
	for _, request := range []uint32{unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD, setFlags, setFlagsOf32, setVersion, setAttributes, enableVerity} {
		p.add(equal, 0, 1, request)
		p.add(result, 0, 0, denied(unix.EPERM))
	}
}

// filterSockets allows sockets with a path, whose connections are referred, the
// questions about network interfaces, and, where there is only lo, networks.
func filterSockets(p *program, namespaces bool) {
	unknown := denied(unix.EAFNOSUPPORT)
	var local, routes program
	local.add(load, 0, 0, argument(1))
	local.add(mask, 0, 0, socketTypes)
	local.add(equal, 2, 0, unix.SOCK_STREAM)
	local.add(equal, 1, 0, unix.SOCK_SEQPACKET)
	local.add(result, 0, 0, denied(unix.EPROTONOSUPPORT))
	local.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
	routes.unless(2, unknown, unix.NETLINK_ROUTE)
	routes.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
	p.add(load, 0, 0, argument(0))
	p.add(equal, 0, uint8(len(local)), unix.AF_UNIX) //nolint:gosec // blocks are short
	*p = append(*p, local...)
	p.add(equal, 0, uint8(len(routes)), unix.AF_NETLINK) //nolint:gosec // blocks are short
	*p = append(*p, routes...)
	if namespaces {
		p.unless(0, unknown, unix.AF_INET, unix.AF_INET6)
		return
	}
	p.add(result, 0, 0, denied(unix.EACCES))
}

// filterShared denies what namespaces would keep apart. The modes of files are referred;
// owners, times and attributes stay as they are, and programs that copy them succeed.
func filterShared(p *program) {
	p.answer(denied(unix.EPERM),
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_MADVISE, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES)
	p.answer(unix.SECCOMP_RET_USER_NOTIF, append([]uint32{unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2}, legacyModes...)...)
	p.answer(denied(0), append(append([]uint32{unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT}, legacyOwners...), legacyTimes...)...)
	p.answer(denied(unix.EOPNOTSUPP), unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR)
	// The scheduling and limits of another process; 0 is the caller.
	for _, call := range []uint32{unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR} {
		p.only(call, func(p *program) { p.unless(0, denied(unix.EPERM), 0) })
	}
	for _, call := range []uint32{unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET} {
		p.only(call, func(p *program) { p.unless(1, denied(unix.EPERM), 0) })
	}
	p.only(unix.SYS_PRLIMIT64, func(p *program) {
		p.add(load, 0, 0, argument(0))
		p.add(equal, 4, 0, 0)
		p.add(load, 0, 0, argument(2)) // no new limit: it is only read
		p.add(equal, 0, 1, 0)
		p.add(result, 0, 0, unix.SECCOMP_RET_ALLOW)
		p.add(result, 0, 0, denied(unix.EPERM))
	})
}
