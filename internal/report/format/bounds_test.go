package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// many returns a report in which each of four rules, waived and not, names n files.
func many(n int) *report.Report {
	r := reporttest.Broken(n) // one finding for each file
	var files []string
	for i := range n {
		files = append(files, fmt.Sprintf("src/%05d.go", i))
	}
	for _, f := range []finding.Finding{
		{Rule: "changelog", Path: files[0], TriggerFiles: files, Expected: []string{"CHANGELOG.md"}, Message: "without CHANGELOG.md"},
		{Rule: "docs", Path: files[0], TriggerFiles: files[:1], Expected: files[1:], Message: "without docs"},
		{Rule: "readme", Path: files[0], TriggerFiles: files, Message: "files changed"},
		{Rule: "own", Path: files[0], TriggerFiles: files, Message: "own message"},
	} {
		f.Name, f.Level, f.Line = f.Rule, finding.Error, 1
		for _, path := range f.TriggerFiles[1:] {
			f.Related = append(f.Related, finding.Location{Path: path, Line: 1})
		}
		r.Findings = append(r.Findings, f)
		r.Rules = append(r.Rules, report.Rule{Info: rule.Info{ID: f.Rule, Name: f.Rule, Level: f.Level}, ListByFiles: f.Rule != "own"})
	}
	for i := range n {
		path := fmt.Sprintf("waived/%05d.go", i)
		r.Findings = append(r.Findings, finding.Finding{
			Rule: "waived", Level: finding.Note, Path: path, Line: 1, TriggerFiles: []string{path}, Message: path + " is new",
			Waiver: &finding.Waiver{Source: finding.Promise, Reason: "promised"},
		})
	}
	finding.Sort(r.Findings)
	return r
}

// Reports for people list a part of long lists and the number of what they leave out; the
// formats for programs list all.
func TestLongLists(t *testing.T) {
	r := many(300)
	for _, f := range format.All() {
		var summary bytes.Buffer
		out := write(t, f.Name, r, format.Options{StepSummary: &summary})
		switch f.Name {
		case "text", "markdown", "github":
			if lines := strings.Count(out, "\n"); lines > 150 {
				t.Errorf("%s has %d lines, want at most 150", f.Name, lines)
			}
			if both := out + summary.String(); !strings.Contains(both, " and 297 more") || !strings.Contains(both, "and 280 more") {
				t.Errorf("%s does not count what it leaves out:\n%s", f.Name, both)
			}
			if len(out)+summary.Len() > 30_000 {
				t.Errorf("%s has %d bytes, want at most 30,000", f.Name, len(out)+summary.Len())
			}
		case "json", "sarif":
			for _, want := range []string{"src/00299.go", "error/00299.go", "note/00299.go", "waived/00299.go"} {
				if !strings.Contains(out, want) {
					t.Errorf("%s lacks %s", f.Name, want)
				}
			}
		}
	}
	verbose := write(t, "text", r, format.Options{Verbose: true})
	for _, want := range []string{"src/00299.go", "error/00299.go", "waived/00299.go"} {
		if !strings.Contains(verbose, want) {
			t.Errorf("verbose text lacks %s", want)
		}
	}
}

// Lists at the bound are whole.
func TestListsAtTheBound(t *testing.T) {
	for _, name := range []string{"text", "markdown"} {
		if out := write(t, name, reporttest.Broken(report.MaxListed), format.Options{}); strings.Contains(out, " more") {
			t.Errorf("%s leaves findings out:\n%s", name, out)
		}
		want := "and 1 more"
		if out := write(t, name, reporttest.Broken(report.MaxListed+1), format.Options{}); strings.Count(out, want) != len(finding.Levels()) {
			t.Errorf("%s = %s\nwant %q for each rule", name, out, want)
		}
	}
}

// TestMoreBeforeInstructions checks that the number of findings that are not listed follows
// those that are, before the instructions of all of them.
func TestMoreBeforeInstructions(t *testing.T) {
	r := reporttest.Broken(21)
	for _, name := range []string{"text", "markdown"} {
		got := write(t, name, r, format.Options{})
		if more, body := strings.Index(got, "and 1 more"), strings.Index(got, "Look at it."); more < 0 || body < more {
			t.Errorf("%s: the findings that are not listed are at %d, the instructions at %d:\n%s", name, more, body, got)
		}
	}
}
