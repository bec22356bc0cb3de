package format_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// formatting is the report of a formatter that ran over many files.
func formatting() *report.Report {
	files := []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go"}
	return &report.Report{
		Version: 1, Command: "check",
		Rules: []report.Rule{{Info: rule.Info{ID: "fmt", Name: "Go is formatted", Mode: "trigger", Level: finding.Error}, ListByFiles: true, Command: true}},
		Findings: []finding.Finding{
			{Rule: "fmt", Name: "Go is formatted", Mode: "trigger", Level: finding.Error, Path: "a.go", Line: 3, TriggerFiles: files, Message: "`gofmt -w {files}` ended with status 2"},
			{Rule: "fmt", Name: "Go is formatted", Mode: "trigger", Level: finding.Error, Path: "g.go", Line: 1, TriggerFiles: []string{"g.go"}, Message: "`gofmt -w g.go` changes g.go"},
		},
		Commands: []report.Command{{Rule: "fmt", Argv: []string{"gofmt", "-w", "g\xff.go"}, Exit: -1, Failed: "timed out", Stdout: "\xff"}},
	}
}

// Results of commands show their message, and the first few of many files.
func TestCommandsShowTheirMessage(t *testing.T) {
	for name, want := range map[string]string{
		"text": `error: Go is formatted (fmt)
  a.go:3, b.go, c.go and 3 more: ` + "`gofmt -w {files}`" + ` ended with status 2
  g.go:1: ` + "`gofmt -w g.go`" + ` changes g.go
`,
		"markdown": "`a.go:3`, `b.go`, `c.go` and 3 more: \\`gofmt -w {files}\\` ended with status 2  \n`g.go:1`: \\`gofmt -w g.go\\` changes g.go\n",
	} {
		f, err := format.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := f.Write(&b, formatting(), format.Options{Quiet: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(want, b.String()))
		}
	}
}

// JSON has every run, with invalid UTF-8 made printable and without null lists.
func TestCommandsInJSON(t *testing.T) {
	f, err := format.Lookup("json")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Write(&b, formatting(), format.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"g\\xff.go"`, `"exit_code": -1`, `"failed": "timed out"`, `"files": []`, `"changed": []`, `"stdout": "\\xff"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
