package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// closeDelay is the time that the output of a command has to end after everything that
// could write to it was killed.
const closeDelay = 2 * time.Second

// call is one run of a program.
type call struct {
	argv    []string
	dir     string
	env     []string
	timeout time.Duration
	level   sandbox.Level
	find    func(name string) (file string, err error)
}

// exit is the end of a run.
type exit struct {
	status         int    // exit status; -1: none
	failed         string // why there is no usable exit status; else empty
	stdout, stderr []byte
	killed         []string // programs that it had left running
}

// run runs the program in a sandbox and waits until it and all processes it started are
// gone. lost is true if the sandbox has ended too.
func (c call) run(ctx context.Context, worker *sandbox.Worker) (e exit, lost bool) {
	e.status = -1
	file, err := c.find(c.argv[0])
	if err != nil {
		e.failed = err.Error()
		return e, false
	}
	if c.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("timed out after %v", c.timeout))
		defer stop()
	}
	stdout, stderr := &stream{}, &stream{}
	out, err := stdout.open()
	if err != nil {
		e.failed = "cannot start: " + err.Error()
		return e, false
	}
	errs, err := stderr.open()
	if err != nil {
		_ = stdout.write.Close()
		_ = stdout.close()
		e.failed = "cannot start: " + err.Error()
		return e, false
	}
	ended, err := worker.Run(ctx, sandbox.Call{File: file, Argv: c.argv, Env: c.env, Dir: c.dir, Stdout: out, Stderr: errs})
	stdout.wait(closeDelay)
	stderr.wait(closeDelay)
	e.stdout, e.stderr, e.killed = stdout.close(), stderr.close(), ended.Killed
	number := syscall.Errno(0)
	switch {
	case ctx.Err() != nil && err != nil:
		e.failed = context.Cause(ctx).Error()
		lost = !errors.Is(err, sandbox.ErrKept)
	case errors.As(err, &number):
		e.failed = startFailure(c.argv[0], file, c.level, number)
	case err != nil:
		e.failed, lost = "cannot run: "+err.Error(), true
	case ended.Status.Exited():
		e.status = ended.Status.ExitStatus()
	default:
		e.failed = "was killed by signal: " + ended.Status.Signal().String()
		if ended.Status.CoreDump() {
			e.failed += " (core dumped)"
		}
	}
	return e, lost
}

// startFailure explains why a program did not start.
func startFailure(program, file string, level sandbox.Level, number syscall.Errno) string {
	switch number {
	case syscall.ENOENT:
		if resolved, err := filepath.EvalSymlinks(file); err == nil {
			file = resolved
		}
		if dir := sandbox.Hides(level, file); dir != "" {
			return fmt.Sprintf("cannot start: %q is in %s, which commands do not see; move the program elsewhere, or add its directory to PATH", program, dir)
		}
		return fmt.Sprintf("cannot start: the interpreter of %q does not exist, or is in a directory that commands do not see, such as /tmp; want another one in its first line", program)
	case syscall.ENOEXEC:
		return fmt.Sprintf("cannot start: %q is not a program for this system; want a script to begin with #! and its interpreter", program)
	case syscall.EACCES:
		return fmt.Sprintf("cannot start: %q or its interpreter may not be executed; if the directory for scratch copies is mounted noexec, set XDG_RUNTIME_DIR to another one", program)
	default:
		return "cannot start: " + number.Error()
	}
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

// open creates the pipe, begins to read, and returns the end for the program.
func (s *stream) open() (*os.File, error) {
	var err error
	if s.read, s.write, err = os.Pipe(); err != nil {
		return nil, err
	}
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		buffer, _ := buffers.Get().(*[16 << 10]byte)
		defer buffers.Put(buffer)
		// This ends with the last process that has the other end open, or by close.
		// The struct hides File.WriteTo, which allocates its own buffer.
		_, _ = io.CopyBuffer(&s.output, struct{ io.Reader }{s.read}, buffer[:])
	}()
	return s.write, nil
}

// wait waits at most for limit until everything was read. Until now our end for writing was
// open: a program without output wakes no reader.
func (s *stream) wait(limit time.Duration) {
	_ = s.write.Close()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
	}
}

// close stops reading and returns what was read.
func (s *stream) close() []byte {
	_ = s.read.Close()
	<-s.done
	return s.bytes()
}
