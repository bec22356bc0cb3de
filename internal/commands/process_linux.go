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

// supervise runs cmd in a session of its own, so that no terminal can be asked
// for anything and all that it starts can be ended with it. When ctx ends or the
// program does, the whole group is killed. A thread lives and ends with the
// program: it is the one under the guard's rules, and with it the program dies
// even if this process is killed.
func supervise(ctx context.Context, cmd *exec.Cmd, g guard, started func()) error {
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL}
	begun := make(chan error, 1)
	var status error
	over := make(chan struct{})
	group := &group{}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this function
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
			close(over)
		}
	}()
	err := <-begun
	started()
	if err != nil {
		return err
	}
	select {
	case <-over:
		return status
	case <-ctx.Done():
		group.kill()
		<-over
		return ctx.Err()
	}
}

// group is a program and what it started and did not send away. Its number
// means nothing else as long as the program is not reaped.
type group struct {
	sync.Mutex
	pid int // 0 when it is over
}

func (g *group) begin(pid int) {
	g.Lock()
	defer g.Unlock()
	g.pid = pid
}

// wait waits for the program's end and then ends the others, before anybody
// asks for its status.
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
		// That there is nothing left to kill is what is wanted.
		_ = unix.Kill(-g.pid, unix.SIGKILL)
	}
}

// sweep kills every process whose environment has an entry that starts with
// mark, which is how one is known that left its group, and names them.
func sweep(mark string) []string {
	if len(marked(mark)) == 0 {
		return nil
	}
	time.Sleep(settling)
	swept := map[int]string{}
	for range sweeps {
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

// settling is how long those that were just killed with their group may take to
// be gone.
const settling = 20 * time.Millisecond

// sweeps bounds how often is looked whether all are gone: one that is being
// killed may just have started another.
const sweeps = 50

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
