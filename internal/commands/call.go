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

// A process that a command started may keep the command's output open after its
// end. It is killed after pipeCloseDelay; the output is closed afterwards, after
// killedCloseDelay at most.
const (
	pipeCloseDelay   = 200 * time.Millisecond
	killedCloseDelay = 2 * time.Second
)

// call is one run of a program.
type call struct {
	argv    []string
	dir     string
	env     []string
	mark    string // variable that is unique to the environment of this call, see sweep
	timeout time.Duration
	guard   guard
}

// exit is the end of a run.
type exit struct {
	status         int    // exit status; -1: none
	failed         string // why there is no usable exit status; else empty
	stdout, stderr []byte
}

// run runs the program and waits until it and all processes it started are gone.
func (c call) run(ctx context.Context) exit {
	file, err := findProgram(c.argv[0], c.dir, variable(c.env, "PATH"))
	if err != nil {
		return exit{status: -1, failed: err.Error()}
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
		return exit{status: -1, failed: "cannot start: " + err.Error()}
	}
	err = supervise(ctx, cmd, c.guard, func() { stdout.started(); stderr.started() })
	if !stdout.wait(pipeCloseDelay) || !stderr.wait(pipeCloseDelay) {
		sweep(c.mark)
		stdout.wait(killedCloseDelay)
		stderr.wait(killedCloseDelay)
	}
	e := exit{status: -1, stdout: stdout.close(), stderr: stderr.close()}
	exited := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil && err != nil:
		sweep(c.mark)
		e.failed = context.Cause(ctx).Error()
	case err == nil:
		e.status = 0
	case errors.As(err, &exited) && exited.Exited():
		e.status = exited.ExitCode()
	case errors.Is(err, syscall.ENOEXEC):
		e.failed = fmt.Sprintf("cannot start: %q is not a program for this system; want a script to begin with #! and its interpreter", c.argv[0])
	case errors.Is(err, syscall.EACCES):
		e.failed = fmt.Sprintf("cannot start: %q or its interpreter may not be executed; if TMPDIR is mounted noexec, set another one", c.argv[0])
	case errors.As(err, &exited):
		e.failed = "was killed by " + exited.String()
	default:
		e.failed = "cannot start: " + err.Error()
	}
	return e
}

// stream reads one output of a program.
type stream struct {
	output
	read, write *os.File
	done        chan struct{}
}

// buffers are the read buffers of streams. Allocating them for each of many short
// runs would cause garbage collections that take longer than the programs, because
// a collection waits for every thread that is starting one.
var buffers = sync.Pool{New: func() any { return new([16 << 10]byte) }}

// open creates the pipe and returns the end for the program.
func (s *stream) open() (*os.File, error) {
	var err error
	s.read, s.write, err = os.Pipe()
	return s.write, err
}

// started begins to read, once the program has its end or failed to start.
func (s *stream) started() {
	_ = s.write.Close()
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		buffer, _ := buffers.Get().(*[16 << 10]byte)
		defer buffers.Put(buffer)
		// This ends with the last process that has the other end open, or by close.
		// The struct hides File.WriteTo, which allocates its own buffer.
		_, _ = io.CopyBuffer(&s.output, struct{ io.Reader }{s.read}, buffer[:])
	}()
}

// wait waits at most for limit and reports whether everything was read.
func (s *stream) wait(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.done:
		return true
	case <-timer.C:
		return false
	}
}

// close stops reading and returns what was read.
func (s *stream) close() []byte {
	_ = s.read.Close()
	<-s.done
	return s.bytes()
}
