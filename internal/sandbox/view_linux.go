package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// view makes what programs see of the file system: everything read-only, except for their
// own temporary directories, devices and processes, and what they may write.
type view struct {
	order
	scratchMount int // a mount of the file system in memory; 0: none

	temps []string        // private temporary directories, the preferred one first
	keep  map[string]bool // entries of them that are mounts
}

// devices are the devices that every program may use.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}

const (
	readOnly   = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	noDevices  = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	noPrograms = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC
)

// make changes the mounts of the namespace. It returns the descriptors for the program
// that started the supervisor.
func (v *view) make() (files []int, err error) {
	mask := unix.Umask(0)
	defer unix.Umask(mask)
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("make mounts private: %w", err)
	}
	for _, dir := range temporary[:2] {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && v.scratch != dir && !slices.Contains(v.show, dir) {
			v.temps = append(v.temps, dir)
		}
	}
	// What is put back below the read-only root is taken from the old view first.
	var back []*tree
	for _, path := range v.shown() {
		if back, err = v.take(back, path, readOnly); err != nil {
			return nil, err
		}
	}
	writable := slices.Sorted(slices.Values(v.write)) // parents before children
	if !v.memory {
		writable = append(writable, v.scratch)
	}
	for _, path := range writable {
		if back, err = v.take(back, path, noDevices); err != nil {
			return nil, err
		}
	}
	var nodes []*tree
	for _, path := range devices {
		if nodes, err = v.take(nodes, path, noPrograms); err != nil && !errors.Is(err, unix.ENOENT) {
			return nil, err
		}
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: readOnly}); err != nil {
		return nil, fmt.Errorf("make / read-only: %w", err)
	}
	for _, dir := range v.temps {
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=25%"); err != nil {
			return nil, fmt.Errorf("mount %s: %w", dir, err)
		}
	}
	if err := v.makeDevices(nodes); err != nil {
		return nil, err
	}
	for _, t := range back {
		if err := v.put(t); err != nil {
			return nil, err
		}
	}
	if files, err = v.makeScratch(); err != nil {
		return nil, err
	}
	if err := unix.Mount("", "/dev", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NOEXEC, ""); err != nil {
		return nil, fmt.Errorf("make /dev read-only: %w", err)
	}
	v.separateTemps()
	return files, makeProcesses()
}

// separateTemps replaces each temporary directory that contains other mounts by a new
// directory in it. Otherwise the permission of Landlock to change files there would extend
// to the pipes below these mounts, which being read-only does not protect.
func (v *view) separateTemps() {
	for i, dir := range v.temps {
		for kept := range v.keep {
			if strings.HasPrefix(kept, dir+"/") {
				v.temps[i] = dir + "/" + ownTemp
			}
		}
		if v.temps[i] != dir && unix.Mkdir(v.temps[i], 0o777) != nil {
			v.temps[i] = dir
		}
	}
}

// ownTemp is the name of the new directory.
const ownTemp = "rulecheck-tmp"

// shown returns what must be put back because a temporary directory hides it: of each path
// the entry of that directory.
func (v *view) shown() (list []string) {
	for _, path := range slices.Concat(v.show, v.write, []string{v.scratch}) {
		for _, dir := range append(slices.Clone(v.temps), sharedMemory) {
			rest, below := strings.CutPrefix(path, dir+"/")
			if !below {
				continue
			}
			name, _, _ := strings.Cut(rest, "/")
			entry := dir + "/" + name
			if info, err := os.Lstat(entry); err == nil && (info.IsDir() || info.Mode().IsRegular()) && !slices.Contains(list, entry) {
				list = append(list, entry)
			}
		}
	}
	return list
}

// tree is a mount that is not attached yet.
type tree struct {
	path string
	fd   int
	file bool
}

// take adds a copy of what is at path to list.
func (v *view) take(list []*tree, path string, set uint64) ([]*tree, error) {
	fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return list, fmt.Errorf("copy the mount of %s: %w", path, err)
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set}); err != nil {
		return list, fmt.Errorf("restrict the mount of %s: %w", path, err)
	}
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return list, err
	}
	return append(list, &tree{path, fd, info.Mode&unix.S_IFMT != unix.S_IFDIR}), nil
}

// put attaches a mount at its path, which is created where a temporary directory hides it.
func (v *view) put(t *tree) error {
	if !t.file {
		if err := os.MkdirAll(t.path, 0o755); err != nil { //nolint:gosec // a mount point
			return err
		}
	} else if fd, err := unix.Open(t.path, unix.O_CREAT|unix.O_RDONLY|unix.O_CLOEXEC, 0o644); err == nil {
		_ = unix.Close(fd)
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("mount %s: %w", t.path, err)
	}
	v.keepAt(t.path)
	return unix.Close(t.fd)
}

// keepAt remembers not to empty what contains a mount.
func (v *view) keepAt(path string) {
	for _, dir := range append(slices.Clone(v.temps), sharedMemory) {
		if rest, below := strings.CutPrefix(path, dir+"/"); below {
			name, _, _ := strings.Cut(rest, "/")
			v.keep[dir+"/"+name] = true
		}
	}
}

// makeDevices mounts a /dev with few devices: root may write to disks although they are
// on a read-only mount.
func (v *view) makeDevices(nodes []*tree) error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=0755,size=64k"); err != nil {
		return fmt.Errorf("mount /dev: %w", err)
	}
	for _, t := range nodes {
		if err := v.put(t); err != nil {
			return err
		}
	}
	for link, target := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx",
	} {
		if err := os.Symlink(target, "/dev/"+link); err != nil {
			return err
		}
	}
	for _, m := range []struct {
		dir, kind, options string
		flags              uintptr
	}{
		{sharedMemory, "tmpfs", "mode=1777,size=25%", unix.MS_NOSUID | unix.MS_NODEV},
		{"/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=0620", unix.MS_NOSUID},
	} {
		if err := os.Mkdir(m.dir, 0o755); err != nil { //nolint:gosec // a mount point
			return err
		}
		if err := unix.Mount(m.kind, m.dir, m.kind, m.flags, m.options); err != nil {
			return fmt.Errorf("mount %s: %w", m.dir, err)
		}
	}
	v.temps = append(v.temps, sharedMemory)
	return nil
}

// makeScratch mounts the file system in memory, if there is to be one, and returns its
// root and copies of the mount for more supervisors.
func (v *view) makeScratch() (files []int, err error) {
	switch {
	case !v.memory:
		return nil, nil
	case v.mounted:
		return nil, v.put(&tree{path: v.scratch, fd: v.scratchMount})
	}
	if err := os.MkdirAll(v.scratch, 0o700); err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", v.scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0700,size=25%"); err != nil {
		return nil, fmt.Errorf("mount the scratch directory: %w", err)
	}
	v.keepAt(v.scratch)
	root, err := unix.Open(v.scratch, unix.O_DIRECTORY|unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	files = []int{root}
	for range min(max(v.workers, 1)-1, MaxWorkers) + spareWorkers {
		fd, err := unix.OpenTree(unix.AT_FDCWD, v.scratch, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err != nil {
			return nil, fmt.Errorf("copy the mount of the scratch directory: %w", err)
		}
		files = append(files, fd)
	}
	return files, nil
}

// spareWorkers is the number of workers that may end, because the kernel or a program
// killed them.
const spareWorkers = 4

// makeProcesses mounts a /proc for the namespace. In some containers that is denied, since
// parts of theirs are hidden: then the old one stays, read-only.
func makeProcesses() error {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := unix.Mount("proc", "/proc", "proc", flags, ""); err != nil {
		return nil //nolint:nilerr // the old /proc shows more, but the processes cannot be reached
	}
	// Root may write to some files of /proc without any capability. These files deny
	// namespaces within this one.
	for _, kind := range []string{"user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time"} {
		writeText("/proc/sys/user/max_"+kind+"_namespaces", "0")
	}
	if err := unix.Mount("", "/proc", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags, ""); err != nil {
		return fmt.Errorf("make /proc read-only: %w", err)
	}
	return nil
}

// loopback enables the only network interface of the namespace.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil // a system without IPv4
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("enable lo: %w", err)
	}
	return nil
}
