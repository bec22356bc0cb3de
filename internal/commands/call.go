package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// grace is how long something may hold a command's output open after its end
// before it is searched for and killed, lastGrace how long after that. More than
// that is of use only to a machine that is busy elsewhere.
const (
	grace     = 200 * time.Millisecond
	lastGrace = 2 * time.Second
)

// call is one run of a program.
type call struct {
	argv    []string
	dir     string
	env     []string
	mark    string // what no environment but that of this call has, see sweep
	timeout time.Duration
	guard   guard
}

// ended is how a run ended.
type ended struct {
	exit           int    // status; -1 where there is none
	failed         string // why there is none, or none that counts
	stdout, stderr []byte
}

// run starts the program and waits until it and all it started are gone.
func (c call) run(ctx context.Context) ended {
	file, err := program(c.argv[0], c.dir, variable(c.env, "PATH"))
	if err != nil {
		return ended{exit: -1, failed: err.Error()}
	}
	if c.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("timed out after %v", c.timeout))
		defer stop()
	}
	stdout, stderr := &stream{}, &stream{}
	cmd := &exec.Cmd{Path: file, Args: c.argv, Dir: c.dir, Env: c.env}
	if cmd.Stdout, err = stdout.open(); err == nil {
		cmd.Stderr, err = stderr.open()
	}
	if err != nil {
		_, _ = stdout.read.Close(), stdout.write.Close()
		return ended{exit: -1, failed: "cannot start: " + err.Error()}
	}
	err = supervise(ctx, cmd, c.guard, func() { stdout.started(); stderr.started() })
	if !stdout.over(grace) || !stderr.over(grace) {
		sweep(c.mark)
		stdout.over(lastGrace)
		stderr.over(lastGrace)
	}
	e := ended{exit: -1, stdout: stdout.close(), stderr: stderr.close()}
	exit := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil && err != nil:
		sweep(c.mark)
		e.failed = context.Cause(ctx).Error()
	case err == nil:
		e.exit = 0
	case errors.As(err, &exit) && exit.Exited():
		e.exit = exit.ExitCode()
	case errors.Is(err, syscall.ENOEXEC):
		e.failed = fmt.Sprintf("cannot start: %q is no program of this system; a script begins with #! and its interpreter", c.argv[0])
	case errors.Is(err, syscall.EACCES):
		e.failed = fmt.Sprintf("cannot start: %q or its interpreter may not be executed; where all of TMPDIR may not (noexec), set another", c.argv[0])
	case errors.As(err, &exit):
		e.failed = "was ended by " + exit.String()
	default:
		e.failed = "cannot start: " + err.Error()
	}
	return e
}

// stream is one of a program's outputs while it is read.
type stream struct {
	output
	read, write *os.File
	done        chan struct{}
}

// buffers are those that streams are read with. Without them the many short runs
// would make so much garbage that its collection, which has to wait for every
// thread that is starting a program, took longer than the programs.
var buffers = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// open makes the pipe, whose other end the program gets.
func (s *stream) open() (*os.File, error) {
	var err error
	s.read, s.write, err = os.Pipe()
	return s.write, err
}

// started is called when the program has its end, or never will.
func (s *stream) started() {
	_ = s.write.Close()
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		buffer, _ := buffers.Get().(*[16 << 10]byte)
		defer buffers.Put(buffer)
		// It ends with the last process that holds the other end, or by close. The
		// file alone would bring a buffer of its own.
		_, _ = io.CopyBuffer(&s.output, struct{ io.Reader }{s.read}, buffer[:])
	}()
}

// over reports whether all was read, for which it waits.
func (s *stream) over(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-s.done:
		return true
	case <-timer.C:
		return false
	}
}

// close ends the reading and gives what was read.
func (s *stream) close() []byte {
	_ = s.read.Close()
	<-s.done
	return s.bytes()
}
