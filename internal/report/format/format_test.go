package format_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// Every format has a golden of the small report and one of a clean run. Reports
// with everything in them give the same bytes for findings in any order.
func TestFormats(t *testing.T) {
	for _, f := range format.All() {
		for name, r := range map[string]*report.Report{f.Name: reporttest.Small(), f.Name + "-clean": reporttest.Clean()} {
			t.Run(name, func(t *testing.T) { compare(t, name, write(t, f.Name, r, format.Options{})) })
		}
		for name, r := range map[string]func() *report.Report{"rich": reporttest.Rich, "audited": reporttest.Audited, "clean": reporttest.Clean} {
			t.Run(f.Name+" of shuffled findings, "+name, func(t *testing.T) {
				want := write(t, f.Name, r(), format.Options{})
				for seed := range uint64(5) {
					if got := write(t, f.Name, reporttest.Shuffled(r(), seed), format.Options{}); got != want {
						t.Errorf("the same findings in another order (-first +second):\n%s", cmp.Diff(want, got))
					}
				}
			})
		}
		if f.Title == "" {
			t.Errorf("format %s has no title; help shows it", f.Name)
		}
	}
}

// Formats for people have goldens of reports with everything in them.
func TestFormatsForPeople(t *testing.T) {
	for _, name := range []string{"text", "markdown", "github"} {
		compare(t, name+"-rich", write(t, name, reporttest.Rich(), format.Options{}))
		compare(t, name+"-audit", write(t, name, reporttest.Audited(), format.Options{}))
	}
	compare(t, "html-rich", write(t, "html", reporttest.Rich(), format.Options{}))
}

func TestLookup(t *testing.T) {
	quoted := make([]string, 0, len(format.All()))
	for _, f := range format.All() {
		if got, err := format.Lookup(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("Lookup(%q) = %q, %v, want it", f.Name, got.Name, err)
		}
		quoted = append(quoted, strconv.Quote(f.Name))
	}
	want := "want one of " + strings.Join(quoted, ", ")
	tests := []struct{ name, message string }{
		{"sarfi", `unknown format "sarfi"; did you mean "sarif"? ` + want},
		{"JSON", `unknown format "JSON"; did you mean "json"? ` + want},
		{"md", `unknown format "md"; ` + want},
		{"", `unknown format ""; ` + want},
		{"no format", `unknown format "no format"; ` + want},
	}
	for _, tt := range tests {
		if _, err := format.Lookup(tt.name); err == nil || err.Error() != tt.message {
			t.Errorf("Lookup(%q): error %v\nwant %s", tt.name, err, tt.message)
		}
	}
}

func TestAllReturnsACopy(t *testing.T) {
	format.All()[0].Name = "changed"
	if got := format.All()[0].Name; got != "text" {
		t.Errorf("All()[0].Name = %q after a caller changed its list, want text", got)
	}
}

type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormatsReportWriteErrors(t *testing.T) {
	for _, f := range format.All() {
		if err := f.Write(full{}, reporttest.Both(), format.Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk: error %v, want %v", f.Name, err, errFull)
		}
	}
}

func write(t *testing.T, name string, r *report.Report, o format.Options) string {
	t.Helper()
	f, err := format.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// inline matches the page's own style and script, hashes their hashes in its policy.
var (
	inline = regexp.MustCompile(`(?s)(<(?:style|script)>).*?(</(?:style|script)>)`)
	hashes = regexp.MustCompile(`sha256-[^&]*`)
)

// chartless returns a page without its own scripts and styles.
func chartless(page string) string { return inline.ReplaceAllString(page, "") }

// compare compares got with testdata/<name>.golden.
func compare(t *testing.T, name, got string) {
	t.Helper()
	if strings.HasPrefix(name, "html") {
		got = hashes.ReplaceAllString(inline.ReplaceAllString(got, "$1…$2"), "sha256-…")
	}
	golden.Compare(t, filepath.Join("testdata", name+".golden"), got)
}
