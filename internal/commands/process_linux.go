package commands

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// supervise runs cmd in a new session, so that it has no terminal and that the
// processes it starts can be killed with it. When ctx or the program ends, the
// whole group is killed. The program is started by a thread that ends with it: the
// sandbox restricts this thread, and if this process is killed, the end of the
// thread kills the program.
func supervise(ctx context.Context, cmd *exec.Cmd, g guard, started func()) error {
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL}
	begun := make(chan error, 1)
	var status error
	ended := make(chan struct{})
	group := &group{}
	go func() {
		runtime.LockOSThread() // not unlocked: the thread ends with this function
		err := g.enter()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			group.begin(cmd.Process.Pid)
		}
		begun <- err
		if err == nil {
			group.wait()
			status = cmd.Wait()
			close(ended)
		}
	}()
	err := <-begun
	started()
	if err != nil {
		return err
	}
	select {
	case <-ended:
		return status
	case <-ctx.Done():
		group.kill()
		<-ended
		return ctx.Err()
	}
}

// group is the process group of a program. Its number is not reused as long as the
// program is not reaped.
type group struct {
	sync.Mutex
	pid int // 0: it has ended
}

func (g *group) begin(pid int) {
	g.Lock()
	defer g.Unlock()
	g.pid = pid
}

// wait waits until the program ends and then kills the rest of its group, before
// the program is reaped.
func (g *group) wait() {
	for {
		err := unix.Waitid(unix.P_PID, g.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	g.kill()
	g.begin(0)
}

func (g *group) kill() {
	g.Lock()
	defer g.Unlock()
	if g.pid > 0 {
		// An error means that the group is gone already.
		_ = unix.Kill(-g.pid, unix.SIGKILL)
	}
}

// sweep kills every process whose environment has an entry that starts with mark,
// which finds those that left their group, and returns their names.
func sweep(mark string) []string {
	if len(marked(mark)) == 0 {
		return nil
	}
	time.Sleep(settlingTime)
	swept := map[int]string{}
	for range maxSweeps {
		found := marked(mark)
		if len(found) == 0 {
			break
		}
		for pid, name := range found {
			_ = unix.Kill(pid, unix.SIGKILL)
			swept[pid] = name
		}
		time.Sleep(time.Millisecond)
	}
	return slices.Compact(slices.Sorted(maps.Values(swept)))
}

// settlingTime is the time for processes that were just killed to disappear.
const settlingTime = 20 * time.Millisecond

// maxSweeps limits the number of searches: a process may start another one before it
// is killed.
const maxSweeps = 50

func marked(mark string) map[int]string {
	found := map[int]string{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark)) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "comm"))
		found[pid] = string(bytes.TrimSpace(name))
	}
	return found
}
