package format_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
