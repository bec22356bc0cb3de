package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// print writes lines to standard output. It escapes every argument that is not
// [plain.Text].
func (p *process) print(format plain.Text, args ...any) {
	_ = plain.Fprintf(p.stdout, format, args...) // the sink keeps the error
}

// warn writes lines to standard error like print. It masks the secrets in errors, which
// quote arguments, files and what programs print.
func (p *process) warn(format plain.Text, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = mask.Secrets(err.Error())
		}
	}
	_ = plain.Fprintf(p.stderr, format, args...)
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
	rep.Errors = []finding.Problem{{Code: code, Message: mask.Secrets(err.Error())}}
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
