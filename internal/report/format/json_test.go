package format_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

var nullable = regexp.MustCompile(`"(waiver|input|output|cache_read|cache_write)": null`)

// No list is null, however sparse the report; a number of tokens that is not known is.
func TestJSONHasNoNullLists(t *testing.T) {
	for name, r := range map[string]*report.Report{"empty": {}, "clean": reporttest.Clean(), "rich": reporttest.Rich(), "audited": reporttest.Audited()} {
		got := write(t, "json", r, format.Options{})
		for line := range strings.Lines(got) {
			if strings.Contains(line, "null") && !nullable.MatchString(line) {
				t.Errorf("%s report has the line %q", name, line)
			}
		}
	}
}

func TestJSONKeepsText(t *testing.T) {
	got := write(t, "json", reporttest.Both(), format.Options{})
	for _, want := range []string{`"src/<b>.py"`, `"src/é.py"`, `"src/\\xff.py"`, `"src/new\nline.py"`} {
		if !strings.Contains(got, want) {
			t.Errorf("json lacks %s", want)
		}
	}
	var read report.Report
	if err := json.Unmarshal([]byte(got), &read); err != nil {
		t.Fatal(err)
	}
	again := write(t, "json", &read, format.Options{})
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("json of what was read from json (-first +second):\n%s", diff)
	}
}

// A report may be written in several formats, one after the other.
func TestFormatsLeaveTheReportAlone(t *testing.T) {
	for _, f := range format.All() {
		r := reporttest.Both()
		write(t, f.Name, r, format.Options{})
		if diff := cmp.Diff(reporttest.Both(), r); diff != "" {
			t.Errorf("%s changed the report (-before +after):\n%s", f.Name, diff)
		}
	}
}

// JSON holds every field of a report, with bytes that are not UTF-8 made printable.
func TestJSONHoldsTheReport(t *testing.T) {
	same := cmp.Options{
		cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b string) bool { return finding.Printable(a) == finding.Printable(b) }),
		cmpopts.IgnoreFields(report.Report{}, "Repository", "Branch", "Committed", "Rules", "ToolVersion", "FailOn"),
		cmpopts.IgnoreFields(report.Summary{}, "Errors", "Warnings", "Notes", "Verdict", "Exit"), // see TestVerdictIsTheExitStatus
		cmpopts.IgnoreFields(report.Summary{}, "Sessions", "Tokens", "Cost"),                     // see TestSessionsInJSON
		cmpopts.IgnoreFields(report.Session{}, "Timeline"),
		cmpopts.IgnoreFields(finding.Finding{}, "Body", "LineHash"),
		cmpopts.IgnoreFields(finding.SessionDetails{}, "Title", "Log"),
	}
	for name, want := range map[string]*report.Report{
		"small": reporttest.Small(), "rich": reporttest.Rich(), "audited": reporttest.Audited(), "both": reporttest.Both(),
	} {
		var got report.Report
		if err := json.Unmarshal([]byte(write(t, "json", want, format.Options{})), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &got, same); diff != "" {
			t.Errorf("%s report (-report +json):\n%s", name, diff)
		}
		for i, f := range want.Findings {
			if f.Session != nil && finding.Printable(f.Body) != got.Findings[i].Body {
				t.Errorf("%s report: finding %d has the suggestion %q, want %q", name, i, got.Findings[i].Body, f.Body)
			}
		}
	}
}
