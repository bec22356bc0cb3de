package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
)

// output is one --format NAME[=FILE].
type output struct {
	format format.Format
	file   string // empty: standard output
}

// outputs is the value of --format.
type outputs []output

func (o *outputs) Set(value string) error {
	name, file, err := nameAndFile(value)
	if err != nil {
		return err
	}
	f, err := format.Lookup(name)
	if err != nil {
		return err
	}
	*o = append(*o, output{f, file})
	return nil
}

// nameAndFile splits NAME[=FILE].
func nameAndFile(value string) (name, file string, err error) {
	name, file, named := strings.Cut(value, "=")
	if named && file == "" {
		err = errors.New("no file after \"=\"; want NAME or NAME=FILE")
	}
	return name, file, err
}

func (*outputs) Type() string { return "NAME[=FILE]" }

func (o *outputs) String() string {
	var words []string
	for _, out := range *o {
		words = append(words, strings.TrimSuffix(out.format.Name+"="+out.file, "="))
	}
	return strings.Join(words, ",")
}

// write writes the report in every requested format; text by default.
func (p *process) write(rep *report.Report, f *checkFlags) error {
	wanted := f.outputs
	if len(wanted) == 0 {
		text, err := format.Lookup("text")
		if err != nil {
			return err
		}
		wanted = []output{{format: text}}
	}
	for _, out := range wanted {
		if err := p.writeOne(rep, f, out); err != nil {
			return err
		}
	}
	return nil
}

func (p *process) writeOne(rep *report.Report, f *checkFlags, out output) error {
	o := format.Options{Quiet: f.quiet, Verbose: f.verbose, Hook: f.Staged && p.getenv("GIT_INDEX_FILE") != ""}
	var summary strings.Builder
	if p.getenv("GITHUB_STEP_SUMMARY") != "" {
		o.StepSummary = &summary
	}
	if out.file == "" {
		o.Color, o.Width = p.color, p.width
	}
	err := p.writeOutput(out.format.Name, out.file, func(w io.Writer) error {
		return errors.Join(out.format.Write(w, rep, o), rep.Err())
	})
	if err != nil || summary.Len() == 0 {
		return err
	}
	return appendTo(p.getenv("GITHUB_STEP_SUMMARY"), summary.String())
}

// writeOutput writes what --format NAME[=FILE] asks for.
func (p *process) writeOutput(name, file string, write func(w io.Writer) error) error {
	if file == "" {
		return write(p.stdout)
	}
	if err := replace(file, write); err != nil {
		return fmt.Errorf("--format %s=%s: %w; want a file in an existing, writable directory", name, file, err)
	}
	return nil
}

// replace replaces a file atomically. Anything but a regular file, such as a pipe,
// is opened and written to.
func replace(file string, write func(w io.Writer) error) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		w, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		b := bufio.NewWriter(w)
		return errors.Join(write(b), b.Flush(), w.Close())
	}
	return atomicfile.WriteTo(file, write)
}

// appendTo appends to a file that other programs also write to.
func appendTo(file, text string) error {
	w, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644) //nolint:gosec // a report is no secret
	if err != nil {
		return err
	}
	_, err = w.WriteString(text)
	return errors.Join(err, w.Close())
}

// print writes lines to standard output. It escapes every argument that is not
// [plain.Text].
func (p *process) print(text plain.Text, args ...any) {
	_ = plain.Fprintf(p.stdout, text, args...) // the sink keeps the error
}

// warn writes lines to standard error like print. It masks the secrets in errors, which
// quote arguments, files and what programs print.
func (p *process) warn(text plain.Text, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = mask.Secrets(err.Error())
		}
	}
	_ = plain.Fprint(p.stderr, wrapped(plain.Sprintf(text, args...), p.warnWidth))
}

// codeUsage is the code of the error in a report that wrong usage ended.
const codeUsage = "usage"

// reportFailure writes the error that ended a command before it had a report, in every
// format that was asked for: a program that reads them must not find yesterday's, or
// none. The text format has nothing to add to standard error.
func (p *process) reportFailure(cmd *cobra.Command, err error) {
	asked := cmd.Flags().Lookup("format")
	if p.reported || asked == nil || asked.Value.Type() != (*outputs)(nil).Type() {
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

// textWidth returns the columns of prose: of the terminal, or 80.
func (p *process) textWidth() int { return cmp.Or(p.width, 80) }

// prose prints lines like print, wrapped at the width of a terminal.
func (p *process) prose(text plain.Text, args ...any) {
	p.print("%s", wrapped(plain.Sprintf(text, args...), p.width))
}

// wrapped wraps lines, each below its own indentation.
func wrapped(text plain.Text, width int) plain.Text {
	if width == 0 {
		return text
	}
	lines := text.Split("\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(string(line), " "))
		lines[i] = wrap.Line(line, width, indent+2)
	}
	return plain.Join(lines, "\n")
}
