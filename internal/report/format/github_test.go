package format_test

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

var command = regexp.MustCompile(`(?m)^::(\w+) .*$`)

// annotations counts the workflow commands of each kind.
func annotations(output string) map[string]int {
	counts := map[string]int{}
	for _, m := range command.FindAllStringSubmatch(output, -1) {
		counts[m[1]]++
	}
	return counts
}

func TestGitHubJobSummary(t *testing.T) {
	var summary bytes.Buffer
	out := write(t, "github", reporttest.Rich(), format.Options{StepSummary: &summary})
	compare(t, "github-summary", summary.String())
	if !strings.Contains(out, "8 more in the log\n") {
		t.Errorf("output is\n%swant the number of findings without an annotation", out)
	}
}

func TestGitHubKeepsWithinCaps(t *testing.T) {
	tests := []struct {
		n    int // findings of each level
		want map[string]int
		more string
	}{
		{0, map[string]int{}, ""},
		{10, map[string]int{"error": 10, "warning": 10, "notice": 10}, ""},
		{11, map[string]int{"error": 10, "warning": 10, "notice": 10}, "4 more in the log"}, // one notice makes room
		{500, map[string]int{"error": 10, "warning": 10, "notice": 10}, "1471 more in the json and sarif formats"},
	}
	for _, tt := range tests {
		t.Run(strconv.Itoa(tt.n), func(t *testing.T) {
			r := reporttest.Broken(tt.n)
			out := write(t, "github", r, format.Options{})
			if got := annotations(out); !cmp.Equal(got, tt.want) {
				t.Errorf("annotations = %v, want %v", got, tt.want)
			}
			if !strings.Contains(out, tt.more) || tt.more == "" && strings.Contains(out, "more in the") {
				t.Errorf("output does not say %q", tt.more)
			}
			for _, f := range r.Findings {
				if n := strings.Count(out, f.Message); n != 1 && tt.n < 100 {
					t.Fatalf("%q occurs %d times in the output, want once", f.Message, n)
				}
			}
		})
	}
}

// A rule broken often does not hide one broken once, nor a malformed rule.
func TestGitHubShowsEveryRuleFirst(t *testing.T) {
	r := reporttest.Broken(30)
	for i := range r.Findings {
		r.Findings[i].Level = finding.Error
	}
	last := finding.Finding{Rule: "z", Name: "Last", Level: finding.Error, Path: "z", Line: 1, Message: "z is new"}
	r.Findings = append(r.Findings, last)
	r.Errors = []finding.Problem{{File: "r.md", Line: 2, Code: "bad_value", Message: "bad"}}
	shown := strings.Join(command.FindAllString(write(t, "github", r, format.Options{}), -1), "\n")
	for _, want := range []string{"file=z,line=1,title=Last::z is new", "file=r.md,line=2,title=rulecheck%3A bad_value::bad"} {
		if !strings.Contains(shown, want) {
			t.Errorf("annotations are\n%s\nwant %s among them", shown, want)
		}
	}
}

func TestGitHubSummaryLimit(t *testing.T) {
	const limit = 1 << 20
	r := reporttest.Broken(0)
	line := strings.Repeat("é", 60)
	r.Findings = []finding.Finding{{
		Rule: "r", Name: "R", Mode: "created", Level: finding.Error, Path: "a", Line: 1, Body: "```\n" + strings.Repeat(line+"\n", 10_000),
	}}
	var summary bytes.Buffer
	write(t, "github", r, format.Options{StepSummary: &summary})
	const note = "\n````\n\nTruncated: GitHub limits a job summary to 1 MiB.\n"
	got := summary.String()
	if len(got) > limit || len(got) < limit-1000 {
		t.Errorf("job summary has %d bytes, want a little less than %d", len(got), limit)
	}
	if !strings.HasSuffix(got, line+note) {
		t.Errorf("job summary ends in %q, want a whole line, the end of the code block and the note", got[len(got)-200:])
	}
}

func TestGitHubReportsSummaryErrors(t *testing.T) {
	f, err := format.Lookup("github")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&bytes.Buffer{}, reporttest.Clean(), format.Options{StepSummary: full{}}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

// The runner decodes a command to the original values.
func FuzzGitHubCommand(f *testing.F) {
	for _, name := range reporttest.OddNames {
		f.Add(name, "50%,\r\n: %0A")
	}
	f.Fuzz(func(t *testing.T, path, title string) {
		r := reporttest.Clean()
		r.Findings = []finding.Finding{{Rule: "r", Name: title, Mode: "own", Level: finding.Error, Path: path, Line: 3, Message: "m"}}
		line, _, _ := strings.Cut(write(t, "github", r, format.Options{}), "\n")
		properties, message, found := strings.Cut(strings.TrimPrefix(line, "::error "), "::")
		if !found || message != "m" {
			t.Fatalf("%q has the message %q, want m", line, message)
		}
		unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		read := map[string]string{}
		for property := range strings.SplitSeq(properties, ",") {
			key, value, _ := strings.Cut(property, "=")
			read[key] = unescape.Replace(value)
		}
		if want := finding.Printable(path); read["file"] != want {
			t.Errorf("%q names the file %q, want %q", line, read["file"], want)
		}
		if len(read) > 3 {
			t.Errorf("%q has the properties %v, want file, line and title", line, read)
		}
	})
}
