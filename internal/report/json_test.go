package report_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/report"
)

var nullable = regexp.MustCompile(`"(waiver|input|output|cache_read|cache_write)": null`)

// No list is null, however sparse the report; a number of tokens that is not known is.
func TestJSONHasNoNullLists(t *testing.T) {
	for name, r := range map[string]*report.Report{"empty": {}, "clean": clean(), "rich": rich(), "audited": audited()} {
		got := write(t, "json", r, report.Options{})
		for line := range strings.Lines(got) {
			if strings.Contains(line, "null") && !nullable.MatchString(line) {
				t.Errorf("%s report has the line %q", name, line)
			}
		}
	}
}

func TestJSONKeepsText(t *testing.T) {
	got := write(t, "json", both(), report.Options{})
	for _, want := range []string{`"src/<b>.py"`, `"src/é.py"`, `"src/\\xff.py"`, `"src/new\nline.py"`} {
		if !strings.Contains(got, want) {
			t.Errorf("json lacks %s", want)
		}
	}
	var read report.Report
	if err := json.Unmarshal([]byte(got), &read); err != nil {
		t.Fatal(err)
	}
	again := write(t, "json", &read, report.Options{})
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("json of what was read from json (-first +second):\n%s", diff)
	}
}

// A report may be written in several formats, one after the other.
func TestFormatsLeaveTheReportAlone(t *testing.T) {
	for _, f := range report.Formats() {
		r := both()
		write(t, f.Name, r, report.Options{})
		if diff := cmp.Diff(both(), r); diff != "" {
			t.Errorf("%s changed the report (-before +after):\n%s", f.Name, diff)
		}
	}
}
