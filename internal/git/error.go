package git

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// Error is a git process that failed or could not be started.
type Error struct {
	Args   []string
	Status int    // exit status; -1: git did not run or was killed
	Stderr string // as git wrote it, in English
	Err    error
	Next   string // advice; may be empty
}

// failed returns the error of a process that failed.
func (r *runner) failed(ctx context.Context, args []string, stderr string, err error) *Error {
	e := &Error{Args: args, Status: -1, Stderr: stderr, Err: err}
	exit := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case strings.HasPrefix(stderr, "unknown option: "+sinceOldest):
		return &Error{Args: args, Err: errors.New(r.version(ctx) + " is too old"), Next: "install git 2.31 or newer"}
	case errors.As(err, &exit):
		e.Status = exit.ExitCode()
	case errors.Is(err, exec.ErrNotFound):
		e.Next = "install git 2.31 or newer"
	}
	return e
}

// version returns the output of git version.
func (r *runner) version(ctx context.Context) string {
	cmd := exec.CommandContext(ctx, "git", "version")
	cmd.Env, cmd.WaitDelay = r.env, pipeCloseDelay
	out, err := cmd.Output()
	if err != nil {
		return "git"
	}
	return strings.TrimSpace(string(out))
}

// Error formats the error on one line: the subcommand, its first argument, the
// status, git's message, and advice.
func (e *Error) Error() string {
	args := e.Args
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	if e.outside() {
		return e.message()[len("fatal: "):] + "; " + e.Next
	}
	var b strings.Builder
	b.WriteString("git")
	for _, arg := range args[:min(2, len(args))] {
		b.WriteString(" " + arg)
	}
	b.WriteString(": " + e.Err.Error())
	if message := e.message(); message != "" {
		b.WriteString(": " + message)
	}
	if e.Next != "" {
		b.WriteString("; " + e.Next)
	}
	return b.String()
}

// message returns git's message on one line, from its fatal: or error: to the end,
// which may be advice.
func (e *Error) message() string {
	text := e.Stderr
	for _, mark := range []string{"fatal: ", "error: "} {
		if i := strings.Index("\n"+text, "\n"+mark); i >= 0 {
			text = text[i:]
			break
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// Unwrap returns the cause: an *exec.ExitError, exec.ErrNotFound, or the context's error.
func (e *Error) Unwrap() error { return e.Err }

// NoProgram reports whether err means that there is no git program.
func NoProgram(err error) bool { return errors.Is(err, exec.ErrNotFound) }

// withAdvice adds advice about a repository that cannot be opened. If another user
// owns it, git prints its own.
func (e *Error) withAdvice() *Error {
	if e.Next == "" && e.outside() {
		e.Next = "run rulecheck inside a git repository"
	}
	return e
}

// outside reports whether git found no repository.
func (e *Error) outside() bool { return strings.HasPrefix(e.message(), "fatal: not a git repository") }
