package git

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Call is one git process.
type Call struct {
	Args  []string
	Stdin io.Reader // nil: nothing
	Env   []string  // KEY=value; wins over the environment git otherwise gets
	Large bool      // git will have much in memory
	// Read reads standard output while git writes it; nil: Result has it whole.
	// Its error ends the process and is the call's error.
	Read func(io.Reader) error
}

// Result is what a process wrote. Standard error is kept because git warns there
// of what it left out and still succeeds.
type Result struct {
	Stdout, Stderr []byte
}

// grace is how long a process that git left behind, such as a filter, may keep
// its output open after git itself was stopped.
const grace = time.Second

// Run runs git with args and returns its standard output, or an *Error.
func (r *Runner) Run(ctx context.Context, args ...string) ([]byte, error) {
	res, err := r.Do(ctx, Call{Args: args})
	return res.Stdout, err
}

// Do runs one git process. The result is valid beside an *Error too.
func (r *Runner) Do(ctx context.Context, c Call) (res Result, err error) {
	read := c.Read
	if read == nil {
		read = func(from io.Reader) (err error) {
			res.Stdout, err = io.ReadAll(from)
			return err
		}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd, stderr := r.command(running, c), newOutput()
	cmd.Stderr = stderr.writer()
	readErr, err := stream(running, cmd, read, stop)
	told, untold := stderr.take()
	res.Stderr = told
	switch {
	case readErr != nil && ctx.Err() == nil:
		return res, readErr
	case err != nil || untold != nil:
		return res, r.failed(ctx, c.Args, string(told), cmp.Or(err, untold))
	}
	return res, nil
}

// Start starts one git process that does not say much, and gives a function that
// waits for what Do would give.
func (r *Runner) Start(ctx context.Context, c Call) (wait func() (Result, error)) {
	cmd, stdout, stderr := r.command(ctx, c), newOutput(), newOutput()
	cmd.Stdout, cmd.Stderr = stdout.writer(), stderr.writer()
	err := cmd.Start()
	return func() (res Result, _ error) {
		if err == nil {
			err = cmd.Wait()
		}
		var unread, untold error
		res.Stdout, unread = stdout.take()
		res.Stderr, untold = stderr.take()
		if err = cmp.Or(err, unread, untold); err != nil {
			return res, r.failed(ctx, c.Args, string(res.Stderr), err)
		}
		return res, nil
	}
}

// sinceOldest is an option that git has since 2.31, the oldest that will do; an older
// one refuses it. What it sets nobody reads.
const sinceOldest = "--config-env=rulecheck.environment=LC_ALL"

// command is git with the arguments of a call, traced.
func (r *Runner) command(ctx context.Context, c Call) *exec.Cmd {
	//nolint:gosec // the program is git, and no shell reads the arguments
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--no-optional-locks", sinceOldest}, c.Args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.options.Dir, r.environ(c), c.Stdin
	cmd.WaitDelay = grace
	r.trace(c.Args)
	return cmd
}

// stream runs cmd and hands its output to read. What read leaves is drained, so
// that git does not fail on a closed pipe; an error of read ends git instead. When
// ctx ends, the pipe is closed for whatever else git may have started.
func stream(ctx context.Context, cmd *exec.Cmd, read func(io.Reader) error, stop func()) (readErr, err error) {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, func() { _ = pipe.Close() })
	defer release()
	if readErr = read(pipe); readErr == nil {
		_, readErr = io.Copy(io.Discard, pipe)
	}
	if readErr != nil {
		stop()
	}
	return readErr, cmd.Wait()
}

func (r *Runner) trace(args []string) {
	if r.options.Trace == nil {
		return
	}
	var line strings.Builder
	line.WriteString("git")
	for _, arg := range args {
		if strings.ContainsAny(arg, " \"'\\") || strconv.Quote(arg) != `"`+arg+`"` {
			arg = strconv.Quote(arg)
		}
		line.WriteString(" " + arg)
	}
	r.tracing.Lock()
	defer r.tracing.Unlock()
	fmt.Fprintln(r.options.Trace, line.String())
}
