package sandbox_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// outside has the targets of attacks, and notices what they do.
type outside struct {
	t      *testing.T
	top    string
	world  world
	before string
	extra  []string // other files that belong to the world
	// arrived counts connections and messages of attacks; settle waits until each one
	// made before the call is counted.
	arrived atomic.Int64
	settle  []func()
	start   int64 // arrived before the attack
	target  *target
	pipe    int
}

// target is a process for attacks, which returns each line that it is sent.
type target struct {
	cmd     *exec.Cmd
	lines   io.WriteCloser
	answers chan struct{} // one for each line
	changed chan struct{} // closed when it ended or was stopped
}

const secretVariable, secretValue = "RULECHECK_SECRET", "squeamish-ossifrage"

// linterVariable is a variable of the process that started the sandbox.
var linterVariable [16]byte

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{t: t, top: publicDir(t)}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := &o.world
	w.Linter, w.Secret = os.Getpid(), secretValue
	// Only what a process starts with is in its environment as others see it.
	if os.Getenv(secretVariable) == "" {
		w.Secret = "PATH="
	}
	w.Network, _ = os.Readlink("/proc/self/ns/net")
	w.Address = uint64(uintptr(unsafe.Pointer(&linterVariable)))
	w.Stream, w.Dgram, w.Packets, w.Pipe = o.top+"/stream", o.top+"/dgram", o.top+"/packets", o.top+"/pipe"
	w.Name = fmt.Sprintf("rulecheck-escapes-%d", os.Getpid())
	for i, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err == nil {
			w.TCP[i] = l.Addr().(*net.TCPAddr).Port
			o.accept(l)
		}
	}
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(err)
	w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	o.read(udp)
	for _, name := range []string{w.Stream, "@" + w.Name} {
		l, err := net.Listen("unix", name)
		must(err)
		o.accept(l)
	}
	packets, err := net.Listen("unixpacket", w.Packets)
	must(err)
	o.accept(packets)
	for _, name := range []string{w.Dgram, "@" + w.Name + "-dgram"} {
		c, err := net.ListenPacket("unixgram", name)
		must(err)
		o.read(c)
	}
	must(unix.Mkfifo(w.Pipe, 0o666))
	o.pipe, err = unix.Open(w.Pipe, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	must(err)
	t.Cleanup(func() { unix.Close(o.pipe) })
	w.Memory, err = unix.SysvShmGet(unix.IPC_PRIVATE, 4096, 0o600|unix.IPC_CREAT)
	must(err)
	t.Cleanup(func() { _, _ = unix.SysvShmCtl(w.Memory, unix.IPC_RMID, nil) })
	queue, _, errno := unix.Syscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, 0o600|unix.IPC_CREAT, 0)
	if errno == 0 {
		w.Queue = int(queue)
		t.Cleanup(func() { _, _, _ = unix.Syscall(unix.SYS_MSGCTL, queue, unix.IPC_RMID, 0) })
	}
	w.Posix = w.Name
	o.makeQueue()
	w.Key = w.Name
	_, _ = unix.AddKey("user", w.Key, []byte("secret"), unix.KEY_SPEC_SESSION_KEYRING)
	shared, err := os.MkdirTemp("/dev/shm", "rulecheck-escapes-*") //nolint:usetesting // shared memory is there only
	must(err)
	t.Cleanup(func() { os.RemoveAll(shared) })
	w.Shared = shared + "/victim"
	must(os.WriteFile(w.Shared, []byte("shared"), 0o600))
	w.Open = o.top + "/open"
	fd, err := unix.Open(w.Open, unix.O_CREAT|unix.O_RDWR, 0o600) // without O_CLOEXEC, as a shell leaves it
	must(err)
	t.Cleanup(func() { unix.Close(fd) })
	o.extra = []string{w.Shared, w.Open}
	o.openTerminal()
	t.Cleanup(o.end)
	return o
}

// ours is sent by this test: when it arrives, everything before it was read.
const ours = "ours"

func (o *outside) accept(l net.Listener) {
	o.receive(l.Addr(), l, func(data []byte) (int, error) {
		c, err := l.Accept()
		if err != nil {
			return 0, err
		}
		defer c.Close()
		n, _ := io.ReadFull(c, data[:len(ours)]) // an attacker ends, and may have sent nothing
		return n, nil
	})
}

func (o *outside) read(c net.PacketConn) {
	o.receive(c.LocalAddr(), c, func(data []byte) (int, error) {
		n, _, err := c.ReadFrom(data)
		return n, err
	})
}

// receive counts what next returns, until it fails.
func (o *outside) receive(at net.Addr, c io.Closer, next func(data []byte) (int, error)) {
	o.t.Cleanup(func() { c.Close() })
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		var data [100]byte
		for {
			n, err := next(data[:])
			switch {
			case err != nil:
				return
			case string(data[:n]) == ours:
				settled <- struct{}{}
			default:
				o.arrived.Add(1)
			}
		}
	}()
	o.settle = append(o.settle, func() {
		c, err := net.Dial(at.Network(), at.String())
		if err == nil {
			_, err = c.Write([]byte(ours))
		}
		if err != nil {
			o.t.Fatal(err)
		}
		<-settled
		c.Close()
	})
}

func (o *outside) makeQueue() {
	name, err := unix.BytePtrFromString(o.world.Posix)
	if err != nil {
		o.t.Fatal(err)
	}
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_CREAT|unix.O_RDWR, 0o600, 0, 0, 0)
	if errno != 0 {
		return
	}
	unix.Close(int(fd))
	o.t.Cleanup(func() { _, _, _ = unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)), 0, 0) })
}

// openTerminal opens a terminal of the user.
func (o *outside) openTerminal() {
	master, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	o.t.Cleanup(func() { unix.Close(master) })
	n, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	if err == nil && unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0) == nil {
		o.world.Pts = fmt.Sprintf("/dev/pts/%d", n)
	}
}

// begin makes a new directory and a new process for an attack.
func (o *outside) begin(t *testing.T, i int) {
	t.Helper()
	w := &o.world
	w.Attack, w.Dir = i, filepath.Join(o.top, fmt.Sprint("attack", i))
	w.Victim = w.Dir + "/victim"
	for _, dir := range []string{w.Dir, w.Dir + "/sub"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{w.Victim, w.Dir + "/other"} {
		if err := os.WriteFile(name, []byte("victim"), 0o644); err != nil {
			t.Fatal(err)
		}
		_ = unix.Setxattr(name, "user.x", []byte("1"), 0)
	}
	if o.target == nil {
		o.target = startTarget(t)
		w.Pid = o.target.cmd.Process.Pid
	}
	o.start, o.before, linterVariable = o.arrived.Load(), o.snapshot(), [16]byte{}
}

func startTarget(t *testing.T) *target {
	t.Helper()
	p := &target{cmd: exec.Command("cat"), answers: make(chan struct{}), changed: make(chan struct{})}
	p.cmd.Env = []string{"IN_ANOTHER=" + secretValue}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a group of another PID namespace has no number here
	lines, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = lines
	output, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(output); s.Scan(); {
			p.answers <- struct{}{}
		}
	}()
	go func() {
		// WNOWAIT leaves the process to Wait.
		for errors.Is(unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WSTOPPED|unix.WNOWAIT, nil), unix.EINTR) {
		}
		close(p.changed)
	}()
	return p
}

// end ends the process, which the next attack replaces.
func (o *outside) end() {
	if o.target != nil {
		_ = o.target.cmd.Process.Kill()
		<-o.target.changed
		_ = o.target.cmd.Wait()
		o.target = nil
	}
}

// changed reports whether anything in the world is not as before.
func (o *outside) changed() bool { return o.snapshot() != o.before }

// snapshot describes all files of the attack: bytes, modes, owners, times, attributes.
func (o *outside) snapshot() string {
	var b strings.Builder
	add := func(name string) {
		var info unix.Stat_t
		if err := unix.Lstat(name, &info); err != nil {
			fmt.Fprintln(&b, name, err)
			return
		}
		content, _ := os.Readlink(name)
		if info.Mode&unix.S_IFMT == unix.S_IFREG {
			data, _ := os.ReadFile(name)
			content = string(data)
		}
		names := make([]byte, 1000)
		n, _ := unix.Llistxattr(name, names)
		fmt.Fprintf(&b, "%s %o %d:%d %v %v %d %q %q\n", name, info.Mode, info.Uid, info.Gid, info.Mtim, info.Ctim, info.Nlink, content, names[:max(n, 0)])
	}
	_ = filepath.WalkDir(o.world.Dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			add(name)
		}
		return nil
	})
	for _, name := range o.extra {
		add(name)
	}
	return b.String()
}

// reached reports whether a connection or a message arrived.
func (o *outside) reached() bool {
	for _, settle := range o.settle {
		settle()
	}
	return o.arrived.Load() > o.start
}

// written reports whether something was written to the pipe.
func (o *outside) written() bool {
	var data [100]byte
	n, err := unix.Read(o.pipe, data[:])
	return err == nil && n > 0
}

// ended reports whether the user's process was killed or stopped: then it does not answer.
func (o *outside) ended() bool {
	if _, err := io.WriteString(o.target.lines, "\n"); err != nil {
		return true
	}
	select {
	case <-o.target.answers:
		return false
	case <-o.target.changed:
		return true
	}
}

// survived reports whether a process that an attack left is running, and ends it. It waits
// for those that were killed but have not ended yet.
func (o *outside) survived() bool {
	for {
		survivors := o.survivors()
		if len(survivors) == 0 {
			return false
		}
		if slices.ContainsFunc(survivors, idle) {
			for _, pid := range survivors {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return true
		}
		runtime.Gosched()
	}
}

// idle reports whether a process sleeps and will go on: no signal is pending.
func idle(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if name == "State" && value[0] != 'S' || (name == "SigPnd" || name == "ShdPnd") && strings.Trim(value, "0") != "" {
			return false
		}
	}
	return true
}

func (o *outside) survivors() (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if line, _ := os.ReadFile(name + "/cmdline"); strings.Contains(string(line), "\x00"+sleeper(&o.world)) {
			if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// sleeper is an argument by which a process of an attack is found.
func sleeper(w *world) string { return fmt.Sprintf("98%d.%d", w.Attack, w.Linter) }
