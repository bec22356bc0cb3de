// Package format writes a report, in one file per format.
package format

import (
	"fmt"
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/html"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Format is one way to write a report.
type Format struct {
	Name  string // the value of --format
	Title string // its purpose, in one line of help
	// Write writes the whole report. Equal reports and options give equal bytes;
	// the only errors are those of w and of Options' writers.
	Write func(w io.Writer, r *report.Report, o Options) error
	// LineHash requests finding.Finding.LineHash.
	LineHash bool
	// Date requests Report.Committed.
	Date bool
	// Timeline requests Session.Timeline.
	Timeline bool
	// Activity requests Session.Activity, and Models its part that sums up tokens.
	Activity, Models bool
	// Facts requests Session.Verdicts.
	Facts bool
	// Inside requests Report.Inside.
	Inside bool
	// Part is set if the report is one of several that are merged.
	Part bool
}

// Options change how a report is written. The zero value is the common case;
// each format ignores those it does not need.
type Options struct {
	Color   bool // text: with ANSI colours
	Width   int  // text: columns of a terminal, at which lines are wrapped; 0: they are not
	Quiet   bool // text: findings and errors only
	Verbose bool // text: also every change and every rule that was checked
	Hook    bool // text: of a check that passes, what the author has to know only
	// StepSummary receives github's job summary; nil: none is written.
	StepSummary io.Writer
}

// formats is the table of formats, in the order of the help text.
var formats = []Format{
	{Name: "text", Title: "for people at a terminal", Write: writeText},
	{Name: "markdown", Title: "for agents and pull requests, grouped by rule", Write: writeMarkdown},
	{Name: "brief", Title: "one bounded page for reviewers and for models that review", Write: writeBrief, Inside: true},
	{Name: "json", Title: "everything, for programs", Write: writeJSON, Activity: true},
	{Name: "sarif", Title: "SARIF 2.1.0, for code scanning and editors", Write: writeSARIF, LineHash: true},
	{Name: "github", Title: "annotations and job summary of GitHub Actions", Write: writeGitHub},
	{Name: "junit", Title: "JUnit XML, one test for each finding, for Jenkins and others", Write: writeJUnit},
	{Name: "gitlab", Title: "Code Quality report of GitLab", Write: writeGitLab},
	{Name: "facts", Title: "one line for each visit and rule, for DuckDB and other databases", Write: writeFacts, Activity: true, Facts: true},
	{Name: "row", Title: "one line of JSON, from which fleet merge writes every other format", Write: writeRow, LineHash: true, Activity: true, Facts: true, Part: true},
	{Name: "html", Title: "one page for a browser, with a timeline of every session", Write: writeHTML, Timeline: true, Models: true, Date: true},
}

// All returns every format, in the order of the help text.
func All() []Format { return slices.Clone(formats) }

// Names returns the name of every format, in the order of the help text.
func Names() []string {
	names := make([]string, 0, len(formats))
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Lookup returns the format with this name. The error lists the known names and
// suggests the closest one.
func Lookup(name string) (Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("unknown format %q%s", name, suggest.OneOf(name, Names()))
}

func writeHTML(w io.Writer, r *report.Report, _ Options) error { return html.Write(w, r) }
