package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Format is one way to write a report.
type Format struct {
	Name  string // as given to --format
	Title string // what it is for, in a line of help
	// Write writes the whole report. The same report and options give the same
	// bytes; the only errors are those of w and of Options' writers.
	Write func(w io.Writer, r *Report, o Options) error
	// LineHash says that the format wants finding.Finding.LineHash filled in.
	LineHash bool
	// Timeline says that the format wants Session.Timeline filled in.
	Timeline bool
}

// Options change how a report is written. The zero value is the common run;
// what a format has no use for it ignores.
type Options struct {
	Color   bool // text: with ANSI colours
	Quiet   bool // text: findings and errors only, and nothing where there are none
	Verbose bool // text: also every change and every rule that was judged
	// StepSummary receives github's job summary; nil: none is written.
	StepSummary io.Writer
}

var formats = []Format{
	{Name: "text", Title: "for people at a terminal", Write: writeText},
	{Name: "markdown", Title: "for agents and pull requests, grouped by rule", Write: writeMarkdown},
	{Name: "json", Title: "everything, for programs", Write: writeJSON},
	{Name: "sarif", Title: "SARIF 2.1.0, for code scanning and editors", Write: writeSARIF, LineHash: true},
	{Name: "github", Title: "annotations and job summary of GitHub Actions", Write: writeGitHub},
	{Name: "html", Title: "one page for a browser, with a timeline of every session", Write: writeHTML, Timeline: true},
}

// Formats lists every format, in the order in which help shows them.
func Formats() []Format { return slices.Clone(formats) }

// Lookup returns the format with this name. The error names those there are,
// and the one that was probably meant.
func Lookup(name string) (Format, error) {
	names := make([]string, 0, len(formats))
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q%s", name, rule.OneOf(name, names))
}
