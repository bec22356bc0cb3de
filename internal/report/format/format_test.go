package format_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

var update = os.Getenv("UPDATE") != "" // rewrite the goldens

// Every format has a golden for a run with everything in it, one for an audit, and
// one for a clean run; the same report gives the same bytes.
func TestFormats(t *testing.T) {
	for _, f := range format.All() {
		for name, r := range map[string]func() *report.Report{f.Name: reporttest.Rich, f.Name + "-audit": reporttest.Audited, f.Name + "-clean": reporttest.Clean} {
			t.Run(name, func(t *testing.T) {
				got := write(t, f.Name, r(), format.Options{})
				compare(t, name, got)
				for seed := range uint64(5) {
					if again := write(t, f.Name, reporttest.Shuffled(r(), seed), format.Options{}); again != got {
						t.Errorf("the same findings from another order (-first +second):\n%s", cmp.Diff(got, again))
					}
				}
			})
		}
		if f.Title == "" {
			t.Errorf("format %s has no title; help shows it", f.Name)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, f := range format.All() {
		if got, err := format.Lookup(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("Lookup(%q) = %q, %v, want it", f.Name, got.Name, err)
		}
	}
	const want = `want one of "text", "markdown", "json", "sarif", "github", "html"`
	tests := []struct{ name, message string }{
		{"sarfi", `unknown format "sarfi"; did you mean "sarif"? ` + want},
		{"JSON", `unknown format "JSON"; did you mean "json"? ` + want},
		{"md", `unknown format "md"; ` + want},
		{"", `unknown format ""; ` + want},
		{"checkstyle", `unknown format "checkstyle"; ` + want},
	}
	for _, tt := range tests {
		if _, err := format.Lookup(tt.name); err == nil || err.Error() != tt.message {
			t.Errorf("Lookup(%q): error %v\nwant %s", tt.name, err, tt.message)
		}
	}
}

func TestFormatsIsACopy(t *testing.T) {
	format.All()[0].Name = "changed"
	if got := format.All()[0].Name; got != "text" {
		t.Errorf("Formats()[0].Name = %q after a caller changed its list, want text", got)
	}
}

type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormatsReportWriteErrors(t *testing.T) {
	for _, f := range format.All() {
		if err := f.Write(full{}, reporttest.Rich(), format.Options{}); !errors.Is(err, errFull) {
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
	golden := filepath.Join("testdata", name+".golden")
	if update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}
