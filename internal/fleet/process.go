package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/mask"
)

// Process checks each unit in a process: what one unit makes a program do ends with it.
type Process struct {
	Program string   // of rulecheck
	Version string   // of rulecheck
	Env     []string // of the processes, as KEY=value
	// Deciding is the part of their environment on which results depend.
	Deciding []string
	Dir      string   // where logs are checked: the repository with their rules
	Args     []string // further arguments, the same for every unit
	// RulesFrom is the commit of each repository with its rules, or "base"; empty: the one
	// that is checked.
	RulesFrom string
	Timeout   time.Duration // of one unit

	rulesOnce   sync.Once
	rulesDigest string // of the rules for logs
	rulesErr    error
}

const rulesFromBase = "base"

const (
	statusFindings     = 1
	statusNotEvaluated = 3

	maxResult = 256 << 20 // bytes
	maxStderr = 64 << 10  // bytes; what follows is left out

	closeDelay = 2 * time.Second // to end after an interrupt, before the process is killed
)

// Check runs a process for a unit as Key returned it, and returns its exit status and the
// report in the row format.
func (p *Process) Check(ctx context.Context, u Unit) (int, []byte, error) {
	ctx, stop := context.WithTimeout(ctx, p.Timeout)
	defer stop()
	dir, args := u.GitDir, []string{"check"}
	if u.Logs != "" {
		logs, err := filepath.Abs(u.Logs)
		if err != nil {
			return 0, nil, err
		}
		dir, args = p.Dir, []string{"audit", logs}
	} else {
		args = append(args, "--no-commands", "--from", u.From, "--to", u.To)
		if u.rulesFrom != "" {
			args = append(args, "--rules-from", u.rulesFrom)
		}
	}
	cmd := exec.CommandContext(ctx, p.Program, append(append(args, "--format", "row"), p.Args...)...) //nolint:gosec // this program
	out, messages := &bounded{max: maxResult}, &bounded{max: maxStderr}
	cmd.Dir, cmd.Env, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = dir, slices.Concat(p.Env, p.Deciding), closeDelay, out, messages
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its own children
	cmd.SysProcAttr = endsWithParent()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if late := p.late(ctx, nil); late != nil {
		return 0, nil, late
	}
	status := cmd.ProcessState.ExitCode()
	switch {
	case out.cut:
		return 0, nil, fmt.Errorf("the result is longer than %d bytes; check this unit alone", maxResult)
	case status < 0 || status > statusNotEvaluated || !json.Valid(out.Bytes()):
		return 0, nil, fmt.Errorf("%w: %s", errors.Join(err, errNoResult), lastLine(messages.String()))
	}
	return status, bytes.TrimSpace(out.Bytes()), nil
}

var errNoResult = errors.New("the process ended without a result")

// late replaces the error of a unit that took too long.
func (p *Process) late(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("took longer than %s; want --timeout, or check this unit alone", p.Timeout)
	}
	return err
}

// lastLine returns the last line of what a program printed, without secrets.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return mask.Secrets(text[strings.LastIndexByte(text, '\n')+1:])
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	bytes.Buffer

	max int
	cut bool
}

func (b *bounded) Write(text []byte) (int, error) {
	kept := min(len(text), b.max-b.Len())
	b.cut = b.cut || kept < len(text)
	b.Buffer.Write(text[:kept])
	return len(text), nil
}
