// Command rulecheck judges what changed in a git repository against rules that
// live in it as small markdown files.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
)

// The exit statuses; of several, the highest counts.
const (
	statusFailed      = 1   // findings, or examples that do not hold
	statusUsage       = 2   // bad usage, malformed rules or configuration
	statusUnjudged    = 3   // something could not be evaluated
	statusInterrupted = 130 // as a shell reports a command ended by ctrl-C
)

func main() { os.Exit(run()) }

// Memory, of which a run needs little, is traded for time: most runs end before
// the heap is worth a collection, at 64 MB, and large ones go on at a lower percent.
const (
	firstGCPercent = 1600
	gcPercent      = 400
	// Logs pass through in any amount, and little of them stays.
	auditGCPercent = 100
)

func run() int {
	debug.SetGCPercent(firstGCPercent)
	// What nothing refers to is found by the first collection.
	later := runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, gcPercent)
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // to the end of the process
	p := &process{
		args:   os.Args[1:],
		env:    os.Environ(),
		stdin:  os.Stdin,
		spare:  func() { later.Stop(); debug.SetGCPercent(auditGCPercent) },
		stdout: os.Stdout,
		stderr: os.Stderr,
		color:  term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		width:  terminalWidth(os.Stdout),
	}
	return p.run(ctx)
}

// process is one run of the program with its surroundings.
type process struct {
	args           []string
	env            []string
	stdin          io.Reader
	stdout, stderr io.Writer
	color          bool // stdout is a terminal that likes colour
	width          int  // columns of the terminal that stdout is; 0: it is none
	engine         engine
	repo           *git.Repo // as it was opened; nil without a git program
	status         int       // what the subcommand found
	serving        bool      // until told to end, which then interrupts nothing
	spare          func()    // spares memory from now on; nil: nothing does
}

func (p *process) run(ctx context.Context) int {
	root := newRoot(p)
	root.SetArgs(p.args)
	root.SetOut(p.stdout)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.SetOut(p.words())
		help(cmd, args)
	})
	root.SetErr(p.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if ctx.Err() != nil && !p.serving {
		fmt.Fprintln(p.stderr, "rulecheck: interrupted")
		return statusInterrupted
	}
	if err == nil {
		return p.status
	}
	fmt.Fprint(p.stderr, fold("rulecheck: "+finding.Visible(helped(cmd, err).Error())+"\n", p.width))
	if errors.As(err, new(unjudged)) {
		return statusUnjudged
	}
	return statusUsage
}

// unjudged marks an error that is neither the user's words nor the user's
// files: what was asked could not be answered.
type unjudged struct{ error }

func (u unjudged) Unwrap() error { return u.error }

// getenv is the value of an environment variable, the last where it is set twice.
func (p *process) getenv(key string) string {
	value := ""
	for _, kv := range p.env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}
