package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// sink is standard output. It keeps the first error, so that no command ends as if its
// answer had been read.
type sink struct {
	mutex sync.Mutex
	w     io.Writer
	err   error
}

// print writes lines to standard output. It escapes every argument that is not
// [plain.Text].
func (p *process) print(format plain.Text, args ...any) {
	_ = plain.Fprintf(p.stdout, format, args...) // the sink keeps the error
}

// warn writes lines to standard error like print.
func (p *process) warn(format plain.Text, args ...any) { _ = plain.Fprintf(p.stderr, format, args...) }

// errClosed is the error of every write to a standard output that is closed.
var errClosed = errors.New("standard output is closed; want a file, or >/dev/null")

func (s *sink) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// failed returns the first error of a write.
func (s *sink) failed() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// interruptible is standard input whose reads end when the run is interrupted.
type interruptible struct {
	ctx context.Context //nolint:containedctx // io.Reader has no parameter for it
	r   io.Reader
}

func (i *interruptible) Read(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	read, buf := make(chan result, 1), make([]byte, len(b))
	go func() {
		n, err := i.r.Read(buf)
		read <- result{n, err}
	}()
	select {
	case done := <-read:
		return copy(b, buf[:done.n]), done.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// codeUsage is the code of the error in a report that wrong usage ended.
const codeUsage = "usage"

// reportFailure writes the error that ended a command before it had a report, in every
// format that was asked for: a program that reads them must not find yesterday's, or
// none. The text format has nothing to add to standard error.
func (p *process) reportFailure(cmd *cobra.Command, err error) {
	format := cmd.Flags().Lookup("format")
	if p.reported || format == nil || format.Value.Type() != (*outputs)(nil).Type() {
		return
	}
	rep := &report.Report{Version: 1, Command: "check", Changes: map[string][]diff.Change{}}
	if cmd.Name() == report.Audit {
		rep.Command = report.Audit
	}
	code := codeUsage
	if errors.As(err, new(evaluationError)) {
		code = report.NotEvaluated
	}
	rep.Errors = []finding.Problem{{Code: code, Message: err.Error()}}
	for _, out := range formatsOf(p.args) {
		if out.format.Name == "text" {
			continue
		}
		_ = p.writeOne(rep, &checkFlags{}, out) // the error that is reported already counts more
	}
}

// formatsOf returns the valid values of --format, also of arguments that cannot be
// parsed as a whole.
func formatsOf(args []string) outputs {
	var wanted outputs
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--format="); ok {
			_ = wanted.Set(value) // the parser reports it
		} else if arg == "--format" && i+1 < len(args) {
			_ = wanted.Set(args[i+1])
		}
	}
	return wanted
}
