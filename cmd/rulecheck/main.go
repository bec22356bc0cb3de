// Command rulecheck checks changes in a git repository against rules that live
// in the repository as small markdown files.
package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
)

// The exit statuses; if several apply, the highest counts.
const (
	statusFindings     = 1   // findings, or failing examples
	statusUsage        = 2   // wrong usage, malformed rules or configuration
	statusNotEvaluated = 3   // something could not be evaluated
	statusInterrupted  = 130 // as a shell reports a command ended by ctrl-C
)

// GOGC of a run. Most runs are short and their heap is small, so memory is traded
// for time; an audit reads logs of any size, and suggest a past of any size, and stay small.
const (
	gcPercent      = 400
	smallGCPercent = 100
)

// interruptGrace is the time that an interrupted run has to remove its temporary files.
// A blocked read of a pipe or a dead network drive must not outlive the interrupt.
const interruptGrace = 5 * time.Second

// memoryGrace is the same for a run that memory runs out for.
const memoryGrace = 500 * time.Millisecond

func main() {
	debug.SetGCPercent(gcPercent)
	signalled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, abort := context.WithCancelCause(signalled)
	ctx = limit.WithAbort(ctx, abort)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the process at once
		if cause := context.Cause(ctx); errors.Is(cause, limit.ErrMemory) {
			time.Sleep(memoryGrace)
			_ = plain.Fprintf(os.Stderr, "rulecheck: %s\n", cause)
			os.Exit(statusNotEvaluated)
		}
		time.Sleep(interruptGrace)
		_ = plain.Fprint(os.Stderr, "rulecheck: interrupted, and something did not end\n")
		os.Exit(statusInterrupted)
	})
	p := &process{
		args:      os.Args[1:],
		env:       os.Environ(),
		stdin:     terminal.NewInterruptible(ctx, os.Stdin),
		stdout:    os.Stdout,
		stderr:    os.Stderr,
		width:     terminal.Width(os.Stdout),
		warnWidth: terminal.Width(os.Stderr),
		color:     term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
	os.Exit(p.run(ctx))
}

// process is one run of the program with its environment.
type process struct {
	args           []string
	env            []string
	stdin          io.Reader
	stdout, stderr io.Writer
	color          bool // stdout is a colour terminal
	width          int  // the columns of stdout; 0: it is not a terminal
	warnWidth      int  // the same of stderr
	engine         engine
	repo           *git.Repo // nil without a git program
	status         int       // set by the subcommand
	reported       bool      // a report was written, or at least begun
	serving        bool      // a server: an interrupt ends it normally
	answered       bool      // a workflow command has written its answer
	answering      bool      // a hook of an agent: the only exit status besides 0 is 2
}

// run executes the command line and returns the exit status.
func (p *process) run(ctx context.Context) int {
	out := terminal.NewSink(p.stdout)
	p.stdout = out
	ctx = pack.With(ctx, p.packs())
	root := newRoot(p, named(p.args))
	if root.HasSubCommands() {
		usage.RefuseUnknownShells(root)
	}
	root.SetArgs(p.args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	if p.width > 0 {
		usage.Wrap(root, p.width)
	}
	cmd, err := root.ExecuteContextC(ctx)
	if cause := context.Cause(ctx); errors.Is(cause, limit.ErrMemory) {
		p.warn("rulecheck: %s\n", cause)
		return statusNotEvaluated
	}
	if ctx.Err() != nil && !p.serving {
		p.warn("rulecheck: interrupted\n")
		return statusInterrupted
	}
	if lost := out.Err(); lost != nil && !p.serving {
		err, p.reported = evaluationError{lost}, true
	}
	if err == nil {
		return p.status
	}
	err = usage.Explain(cmd, err)
	for _, each := range separate(err) {
		p.warn("rulecheck: %s\n", each)
	}
	status := statusUsage
	if errors.As(err, new(evaluationError)) && !p.answering {
		status = statusNotEvaluated
	}
	p.reportFailure(cmd, err)
	p.workflowFailure(cmd, err, status)
	return status
}

// separate returns the errors that an error joins, or the error itself.
func separate(err error) []error {
	if e, ok := err.(evaluationError); ok { //nolint:errorlint // text around joined errors would be lost
		err = e.error
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, each := range joined.Unwrap() {
		all = append(all, separate(each)...)
	}
	return all
}

// evaluationError marks an error that is not the user's: the question was valid,
// but could not be answered.
type evaluationError struct{ error }

func (e evaluationError) Unwrap() error { return e.error }

// getenv returns an environment variable, the last one if it is set twice.
func (p *process) getenv(key string) string {
	value := ""
	for _, kv := range p.env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}

// linked is set by the linker: -X main.linked=v1.2.3. An initial value here would
// overwrite it.
var linked string

// version is the version of the release, or of the installed module.
var version = cmp.Or(linked, installed())

func installed() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func newVersion(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of rulecheck",
		Example: `  rulecheck version`,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return p.printVersion() },
	}
}

func (p *process) printVersion() error {
	return plain.Fprintf(p.stdout, "rulecheck %s\n", version)
}
