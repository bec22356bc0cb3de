package format_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// xmlOf describes a document by its elements and the names of their attributes. Elements of
// one parent are sorted, as findings are by their texts.
func xmlOf(tb testing.TB, output string) string {
	tb.Helper()
	type element struct {
		head     string
		children []string
	}
	stack := []element{{}}
	d := xml.NewDecoder(strings.NewReader(output))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(stack[0].children, "\n")
		}
		if err != nil {
			tb.Fatalf("%v in\n%s", err, output)
		}
		switch token := token.(type) {
		case xml.StartElement:
			names := []string{token.Name.Local}
			for _, a := range token.Attr {
				names = append(names, a.Name.Local)
			}
			stack = append(stack, element{head: strings.Join(names, " ")})
		case xml.EndElement:
			last := stack[len(stack)-1]
			slices.Sort(last.children)
			stack = stack[:len(stack)-1]
			above := &stack[len(stack)-1]
			above.children = append(above.children, fmt.Sprintf("<%s>%s</>", last.head, strings.Join(last.children, "")))
		case xml.Comment, xml.Directive:
			tb.Fatalf("%T in\n%s", token, output)
		}
	}
}

func textsInJUnit(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	type problem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var read struct {
		Cases []struct {
			Class   string   `xml:"classname,attr"`
			File    string   `xml:"file,attr"`
			Failure *problem `xml:"failure"`
			Skipped *problem `xml:"skipped"`
			Output  string   `xml:"system-out"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal([]byte(output), &read); err != nil {
		tb.Fatal(err)
	}
	failed := 0
	for i, f := range r.Findings {
		c := read.Cases[len(r.Errors)+i]
		message := string(plain.Line(report.Message(f)))
		if c.Class != string(plain.Line(f.Rule)) || c.File != string(plain.Line(f.Path)) {
			tb.Errorf("test %d is %q in %q, want %q in %q", i, c.Class, c.File, f.Rule, f.Path)
		}
		switch {
		case f.Waived() != (c.Skipped != nil):
			tb.Errorf("test %d: skipped is %v, want %v", i, c.Skipped, f.Waived())
		case c.Failure != nil:
			failed++
			if c.Failure.Message != message || c.Failure.Text != string(plain.Block(f.Body)) {
				tb.Errorf("test %d fails with %q, want %q and %q", i, c.Failure, message, f.Body)
			}
		case c.Skipped == nil && c.Output != "warning: "+message:
			tb.Errorf("test %d has the output %q, want %q", i, c.Output, message)
		}
	}
	if failed != 1 {
		tb.Errorf("%d tests fail, want 1 in\n%s", failed, output)
	}
}

func textsInGitLab(tb testing.TB, output string, r *report.Report) {
	tb.Helper()
	type issue struct {
		Description, Severity string
		Check                 string `json:"check_name"`
		Location              struct{ Path string }
	}
	var want, got []issue
	if err := json.Unmarshal([]byte(output), &got); err != nil {
		tb.Fatal(err)
	}
	add := func(path string, i issue) {
		i.Location.Path, i.Description, i.Check = plain.Valid(path), plain.Valid(i.Description), plain.Valid(i.Check)
		want = append(want, i)
	}
	for _, p := range r.Errors {
		add(p.File, issue{Description: p.Message, Check: p.Code, Severity: "blocker"})
	}
	for _, f := range r.Findings {
		if !f.Waived() {
			severity := map[finding.Level]string{finding.Error: "major", finding.Warning: "minor", finding.Note: "info"}[f.Level]
			add(f.Path, issue{Description: report.Message(f), Check: f.Rule, Severity: severity})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("-want +got:\n%s", diff)
	}
}
