package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// opened tries to open an existing file for writing.
func opened(name string) error {
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// disk returns a block device.
func disk() string {
	names, _ := filepath.Glob("/dev/*")
	for _, name := range names {
		var info unix.Stat_t
		if unix.Stat(name, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFBLK && opened(name) == nil {
			return name
		}
	}
	return "/dev/vda"
}

// elsewhere succeeds if this process is not in the linter's namespace.
func elsewhere(w *world) error {
	if here, _ := os.Readlink("/proc/self/ns/net"); here != w.Network {
		return errors.New("it has its own network")
	}
	return nil
}

var systemAttacks = []attack{
	{group: "Devices and the kernel", name: "make a character device and write to it", root: true, do: func(w *world) error {
		defer os.Remove(w.Scratch + "/device")
		if err := unix.Mknod(w.Scratch+"/device", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err != nil {
			return err
		}
		return opened(w.Scratch + "/device")
	}},
	{group: "Devices and the kernel", name: "make a block device", root: true, do: func(w *world) error {
		defer os.Remove(w.Scratch + "/block")
		return unix.Mknod(w.Scratch+"/block", unix.S_IFBLK|0o666, int(unix.Mkdev(254, 0)))
	}},
	{group: "Devices and the kernel", name: "open a disk for writing", root: true, rare: true, do: func(*world) error { return opened(disk()) }},
	{group: "Devices and the kernel", name: "write to the kernel's log", root: true, rare: true, do: func(*world) error { return opened("/dev/kmsg") }},
	{group: "Devices and the kernel", name: "write to another terminal of the user", rare: true, do: func(w *world) error { return put(w.Pts, unix.O_WRONLY|unix.O_NOCTTY) }},
	{group: "Devices and the kernel", name: "open /proc/sys/kernel/core_pattern for writing", root: true, rare: true, do: func(*world) error { return opened("/proc/sys/kernel/core_pattern") }},
	{group: "Devices and the kernel", name: "open /proc/sysrq-trigger for writing", root: true, rare: true, do: func(*world) error { return opened("/proc/sysrq-trigger") }},
	{group: "Devices and the kernel", name: "open a file of /sys for writing", root: true, rare: true, do: func(*world) error { return opened("/sys/kernel/mm/transparent_hugepage/enabled") }},
	{group: "Devices and the kernel", name: "make a control group", root: true, rare: true, do: func(w *world) error {
		dir := fmt.Sprintf("/sys/fs/cgroup/rulecheck-escapes-%d", w.Linter)
		defer os.Remove(dir)
		return os.Mkdir(dir, 0o755)
	}},
	{group: "Devices and the kernel", name: "change the host name", root: true, do: func(*world) error {
		name, err := os.Hostname()
		if err != nil {
			return err
		}
		return unix.Sethostname([]byte(name))
	}},
	{group: "Devices and the kernel", name: "open a file by its handle", root: true, do: func(w *world) error {
		handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.Victim, 0)
		if err != nil {
			return err
		}
		return readOnly(w.Dir, func(dir int) error {
			_, err := unix.OpenByHandleAt(dir, handle, unix.O_RDONLY)
			return err
		})
	}},
	{group: "Devices and the kernel", name: "watch a file system by fanotify", root: true, do: func(*world) error {
		_, err := unix.FanotifyInit(unix.FAN_CLASS_CONTENT, unix.O_RDONLY)
		return err
	}},
	{group: "Devices and the kernel", name: "io_uring", rare: true, do: func(*world) error {
		var parameters [120]byte
		return raw(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)))
	}},
	{group: "Devices and the kernel", name: "bpf", root: true, rare: true, do: func(*world) error {
		attr := struct{ kind, key, value, entries uint32 }{2, 4, 4, 1}
		return raw(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
	}},
	{group: "Devices and the kernel", name: "perf_event_open", rare: true, do: func(*world) error {
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
		_, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
		return err
	}},
	{group: "Devices and the kernel", name: "userfaultfd", rare: true, do: func(*world) error { return raw(unix.SYS_USERFAULTFD, 1) }},
	{group: "Mounts and namespaces", name: "mount a file system", root: true, do: func(w *world) error {
		defer unix.Unmount(w.Scratch, unix.MNT_DETACH)
		return unix.Mount("tmpfs", w.Scratch, "tmpfs", 0, "")
	}},
	{group: "Mounts and namespaces", name: "make the root writable again", root: true, do: func(*world) error {
		return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RELATIME, "")
	}},
	{group: "Mounts and namespaces", name: "the new mount calls", root: true, do: func(*world) error {
		fd, err := unix.Fsopen("tmpfs", 0)
		if err == nil {
			unix.Close(fd)
		}
		return err
	}},
	{group: "Mounts and namespaces", name: "copy a mount", root: true, do: func(*world) error {
		fd, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE)
		if err == nil {
			unix.Close(fd)
		}
		return err
	}},
	{group: "Mounts and namespaces", name: "unmount what hides something", root: true, do: func(w *world) error {
		// Without a sandbox nothing is hidden: an error of the argument shows the right.
		if err := unix.Unmount(w.Scratch, 0); !errors.Is(err, unix.EINVAL) {
			return err
		}
		return nil
	}},
	{group: "Mounts and namespaces", name: "chroot", root: true, do: func(*world) error { return unix.Chroot("/") }},
	{group: "Mounts and namespaces", name: "unshare into a user namespace", rare: true, do: func(*world) error { return spawnIn(unix.CLONE_NEWUSER) }},
	{group: "Mounts and namespaces", name: "clone into new namespaces", root: true, do: func(*world) error { return spawnIn(unix.CLONE_NEWNS | unix.CLONE_NEWNET) }},
	{group: "Mounts and namespaces", name: "clone3 into a user namespace", rare: true, do: func(*world) error {
		arguments := struct{ flags, pidfd, child, parent, signal, stack, size, tls uint64 }{flags: unix.CLONE_NEWUSER, signal: uint64(unix.SIGCHLD)}
		pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments), 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			for {
				unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
			}
		}
		return nil
	}},
	{group: "Mounts and namespaces", name: "enter the namespaces of the linter", root: true, do: func(w *world) error {
		return readOnly(fmt.Sprintf("/proc/%d/ns/net", w.Linter), func(fd int) error { return unix.Setns(fd, 0) })
	}},
	{group: "Mounts and namespaces", name: "enter the namespaces of the supervisor", root: true, do: func(*world) error {
		return readOnly(fmt.Sprintf("/proc/%d/ns/net", os.Getppid()), func(fd int) error { return unix.Setns(fd, 0) })
	}},
}
