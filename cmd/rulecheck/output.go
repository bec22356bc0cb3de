package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
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
	name, file, named := strings.Cut(value, "=")
	if named && file == "" {
		return errors.New("no file after \"=\"; want NAME or NAME=FILE")
	}
	f, err := format.Lookup(name)
	if err != nil {
		return err
	}
	*o = append(*o, output{f, file})
	return nil
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
		o.Color = p.color
		if err := out.format.Write(p.stdout, rep, o); err != nil {
			return err
		}
	} else {
		var text strings.Builder
		if err := out.format.Write(&text, rep, o); err != nil {
			return err
		}
		if err := replace(out.file, text.String()); err != nil {
			return fmt.Errorf("--format %s=%s: %w; want a file in an existing, writable directory", out.format.Name, out.file, err)
		}
	}
	if summary.Len() == 0 {
		return nil
	}
	return appendTo(p.getenv("GITHUB_STEP_SUMMARY"), summary.String())
}

// replace replaces a file atomically. Anything but a regular file, such as a pipe,
// is opened and written to.
func replace(file, text string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		w, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = w.WriteString(text)
		return errors.Join(err, w.Close())
	}
	return atomicfile.Write(file, []byte(text))
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
