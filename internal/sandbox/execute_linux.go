package sandbox

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// execute runs one program, kills what it left, and returns the words of the answer: an
// error number or 0, the status, and the names of what was killed.
func (s *supervisor) execute(m message) []string {
	fail := func(err error) []string {
		number := unix.EINVAL
		errors.As(err, &number)
		return []string{strconv.Itoa(int(number)), "0"}
	}
	defer func() {
		for _, fd := range m.files {
			_ = unix.Close(fd)
		}
	}()
	if len(m.words) < 4 || len(m.files) != 2 {
		return fail(unix.EINVAL)
	}
	n, err := strconv.Atoi(m.words[2])
	if err != nil || n < 1 || 3+n > len(m.words) {
		return fail(unix.EINVAL)
	}
	null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fail(err)
	}
	pidfd := -1
	pid, err := syscall.ForkExec(m.words[0], m.words[3:3+n], &syscall.ProcAttr{ //nolint:gosec // a sandbox starts any command
		Dir: m.words[1], Env: m.words[3+n:],
		Files: []uintptr{uintptr(null), uintptr(m.files[0]), uintptr(m.files[1])},
		// A group and not a session: the scheduler treats each session as a separate
		// group, which costs a program with several threads 1 ms.
		Sys: &syscall.SysProcAttr{Setpgid: true, PidFD: &pidfd},
	})
	_ = unix.Close(null)
	for _, fd := range m.files {
		_ = unix.Close(fd)
	}
	m.files = nil
	if err != nil {
		return fail(err)
	}
	var killed []string
	var status unix.WaitStatus
	if ended := awaitExit(pidfd); ended {
		reap(pid, &status, 0)
		killed = strayed(pid)
	}
	_ = unix.Close(pidfd)
	killAll(s.level == Namespaces, pid, &status)
	return append([]string{"0", strconv.FormatUint(uint64(status), 10)}, killed...)
}

// awaitExit waits for a program, and reports false if there was an order to kill it first
// or the connection was closed.
func awaitExit(pidfd int) bool {
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}, {Fd: connection, Events: unix.POLLIN}} //nolint:gosec // descriptors are small
	wait(fds)
	return fds[0].Revents != 0
}

// wait waits for one of the descriptors. The runtime does not know: it would give up the
// processor of this thread and take it back, which for short programs takes 5 % of their
// time. Its signals interrupt the call, so that it can stop this thread.
func wait(fds []unix.PollFd) {
	for !arrived(fds) {
	}
}

//go:noinline
func arrived(fds []unix.PollFd) bool {
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), 0, 0, 0, 0) //nolint:gosec // the system call takes a pointer
	return errno == 0 && n > 0
}

// reap waits for a child, or for any if pid is -1, and returns its number: 0 if none has
// ended and flags say not to wait, -1 if there is no child.
func reap(pid int, status *unix.WaitStatus, flags int) int {
	for {
		n, err := unix.Wait4(pid, status, flags, nil)
		if err == nil {
			return n
		}
		if !errors.Is(err, unix.EINTR) {
			return -1
		}
	}
}

// settlingTime is the time to end for programs that left the group of the one that
// started them.
const settlingTime = 20 * time.Millisecond

// strayed returns the names of the running programs that left the process group.
func strayed(group int) []string {
	outside := func() (names []string) {
		for _, p := range descendants() {
			if p.group != group && p.state != "Z" && p.state != "X" {
				names = append(names, p.name)
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	if reap(-1, new(unix.WaitStatus), unix.WNOHANG) < 0 || len(outside()) == 0 {
		return nil
	}
	time.Sleep(settlingTime)
	return outside()
}

// killAll kills everything that programs started, and waits for it. The status of the
// process pid is stored if it is among them. The first process of a namespace can kill all
// others at once; otherwise they are stopped first, so that they cannot start more.
func killAll(namespace bool, pid int, status *unix.WaitStatus) {
	for {
		var one unix.WaitStatus
		n := reap(-1, &one, unix.WNOHANG)
		for n > 0 {
			if n == pid {
				*status = one
			}
			n = reap(-1, &one, unix.WNOHANG)
		}
		if n < 0 {
			return
		}
		if namespace {
			_ = unix.Kill(-1, unix.SIGKILL)
		} else {
			killDescendants()
		}
		if n = reap(-1, &one, 0); n == pid {
			*status = one
		}
	}
}

func killDescendants() {
	stopped := map[int]bool{}
	for more := true; more; {
		more = false
		for _, p := range descendants() {
			if !stopped[p.pid] && p.state != "Z" {
				_ = unix.Kill(p.pid, unix.SIGSTOP)
				stopped[p.pid], more = true, true
			}
		}
	}
	for pid := range stopped {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// process is a line of /proc/PID/stat.
type process struct {
	pid, parent, group int
	name, state        string
}

// descendants returns the processes that this one started, directly or through others.
// Those whose parents ended belong to this one.
func descendants() (list []process) {
	self, err := os.Readlink("/proc/self") // by the numbers of /proc, which may be those of outside
	if err != nil {
		return nil
	}
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := d.Readdirnames(-1)
	_ = d.Close()
	children := map[int][]process{}
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if p, ok := readProcess(name); ok {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	top, _ := strconv.Atoi(self)
	list = slices.Clone(children[top])
	for i := 0; i < len(list); i++ {
		list = append(list, children[list[i].pid]...)
	}
	return list
}

func readProcess(number string) (p process, ok bool) {
	stat, err := os.ReadFile("/proc/" + number + "/stat")
	if err != nil {
		return p, false
	}
	// NUMBER (NAME) STATE PARENT GROUP …: the name may contain anything.
	text := string(stat)
	first, last := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if first < 0 || last < first {
		return p, false
	}
	fields := strings.Fields(text[last+1:])
	if len(fields) < 3 {
		return p, false
	}
	p.name, p.state = text[first+1:last], fields[0]
	p.pid, _ = strconv.Atoi(number)
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	return p, true
}
