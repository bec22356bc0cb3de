package format_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// TestRow writes reports as rows, reads them back, and writes every other format of them: a
// row has everything but the changed files, the timelines of sessions and the date.
func TestRow(t *testing.T) {
	peak := int64(6)
	for name, r := range map[string]*report.Report{"small": reporttest.Small(), "rich": reporttest.Rich(), "audited": reporttest.Audited(), "clean": reporttest.Clean()} {
		r.Changes = map[string][]diff.Change{}
		for i := range r.Sessions {
			r.Sessions[i].Timeline = ""
			r.Sessions[i].Verdicts = []report.VisitResult{
				{Rule: "build-loop", Mode: "repeated_command", Level: finding.Warning, Result: report.Fired, Peak: &peak, Limit: 2},
				{Visit: 1, Rule: "slow", Mode: "duration", Level: finding.Error, Result: report.Unknown, Reason: "no times"},
			}
		}
		line := write(t, "row", r, format.Options{})
		if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
			t.Errorf("%s: want one line of JSON: %q", name, line)
		}
		read, err := report.ReadRow([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		read.Committed = r.Committed
		for _, f := range format.All() {
			if name == "rich" && f.Name == "sarif" {
				continue // it has a path that is no text
			}
			var want, got bytes.Buffer
			if err := f.Write(&want, r, format.Options{}); err != nil {
				t.Fatal(err)
			}
			if err := f.Write(&got, read, format.Options{}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.String(), got.String()); d != "" {
				t.Errorf("%s as %s, and of its row:\n%s", name, f.Name, d)
			}
		}
	}
	for _, text := range []string{"", "{", "{}", `{"report": {"version": 2}}`, `{"report": {"version": 1, "findings": [{"rule": "a"}]}}`} {
		if r, err := report.ReadRow([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, r)
		}
	}
}
