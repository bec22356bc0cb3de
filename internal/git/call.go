package git

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Call is one git process.
type Call struct {
	Args  []string
	Stdin io.Reader // nil: nothing
	Env   []string  // KEY=value; overrides the environment of the repository
	Large bool      // git will use much memory
	// Read reads standard output while git writes it; nil: Output has all of it.
	// An error of Read kills the process and is returned by the call.
	Read func(io.Reader) error
}

// Output holds what a git process wrote. Standard error is kept, because git prints
// warnings there about incomplete output and succeeds.
type Output struct {
	Stdout, Stderr []byte
}

// pipeCloseDelay is the time that a child of git, such as a filter, may keep the
// output open after git was killed.
const pipeCloseDelay = time.Second

// Run runs git with args and returns its standard output, or an *Error.
func (r *runner) Run(ctx context.Context, args ...string) ([]byte, error) {
	res, err := r.Do(ctx, Call{Args: args})
	return res.Stdout, err
}

// Do runs one git process. The result is valid even if it returns an *Error. Git may succeed
// without having read everything; that is an error too, see [skips].
func (r *runner) Do(ctx context.Context, c Call) (res Output, err error) {
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
	messages, readStderr := stderr.take()
	res.Stderr = messages
	if readErr != nil && ctx.Err() == nil {
		return res, readErr
	}
	if skipped := incomplete(c.Args, messages, err != nil); skipped != nil {
		return res, skipped
	}
	if err != nil || readStderr != nil {
		return res, r.failed(ctx, c.Args, string(messages), cmp.Or(err, readStderr))
	}
	return res, nil
}

// sinceOldest is an option without effect that git accepts since 2.31, the oldest
// supported version; older ones fail.
const sinceOldest = "--config-env=rulecheck.environment=LC_ALL"

// command returns the command of a call and traces it.
func (r *runner) command(ctx context.Context, c Call) *exec.Cmd {
	//nolint:gosec // the program is git, and no shell reads the arguments
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--no-optional-locks", sinceOldest}, c.Args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.options.Dir, r.environ(c), c.Stdin
	cmd.WaitDelay, cmd.SysProcAttr = pipeCloseDelay, endsWithParent()
	if r.options.Group {
		endsAsGroup(cmd)
	}
	r.trace(c.Args)
	return cmd
}

// stream runs cmd and passes its output to read. It drains the rest, so that git
// does not fail on a closed pipe; if read fails, it kills git. When ctx ends, it
// closes the pipe, which other processes that git started may have open.
func stream(ctx context.Context, cmd *exec.Cmd, read func(io.Reader) error, stop func()) (readErr, err error) {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if _, missing := os.Stat(cmp.Or(cmd.Dir, ".")); missing != nil {
			err = missing // with SysProcAttr, Start does not name the directory
		}
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

func (r *runner) trace(args []string) {
	if r.options.Trace == nil {
		return
	}
	line := shell.Line(append([]string{"git"}, args...)...)
	r.tracing.Lock()
	defer r.tracing.Unlock()
	_ = plain.Fprintf(r.options.Trace, "%s\n", line) // for people only
}
