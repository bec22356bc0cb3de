package comment_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/comment"
)

func found(id int) finding.Finding {
	f := finding.Finding{
		Rule: "pairs", Name: "Pairs", Level: finding.Error, Path: fmt.Sprintf("src/%d.go", id), Line: 3,
		Expected: []string{fmt.Sprintf("src/%d_test.go", id)}, Message: "no test changed", Fingerprint: fmt.Sprintf("%032x", id),
	}
	f.TriggerFiles = []string{f.Path}
	return f
}

func reportOf(findings ...finding.Finding) *report.Report {
	r := &report.Report{Version: 1, Findings: findings}
	for _, f := range findings {
		if !f.Waived() {
			r.Summary.Exit = 1
		}
	}
	return r
}

// visible returns a comment without its hidden first line.
func visible(text string) string {
	_, rest, _ := strings.Cut(text, "\n\n")
	return rest
}

func write(t *testing.T, r *report.Report, previous string) string {
	t.Helper()
	text, err := comment.Text(r, comment.Options{Previous: previous})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestComments(t *testing.T) {
	if got := write(t, reportOf(), ""); got != "" {
		t.Errorf("nothing to report, and a comment:\n%s", got)
	}
	excused := found(2)
	excused.Waiver = &finding.Waiver{Reason: "generated"}
	broken := reportOf(found(3))
	broken.Summary.Exit, broken.Errors = 3, []finding.Problem{{Message: "no base @team"}}
	const entry = "**`Pairs`** (`error`)\n\n- `src/%d.go:3` → `src/%[1]d_test.go`: `no test changed`\n"
	text := ""
	for _, step := range []struct {
		name   string
		report *report.Report
		want   string
	}{
		{"first", reportOf(found(1)), "**rulecheck failed**: 1 error\n\n" + fmt.Sprintf(entry, 1)},
		{
			"another", reportOf(found(2)),
			"**rulecheck failed**: 1 error, 1 no longer reported\n\n" + fmt.Sprintf(entry, 2) + "\n**No longer reported**\n\n- ~~`pairs: src/1.go → src/1_test.go`~~\n",
		},
		{
			"not everything checked", broken,
			"**rulecheck failed**: 1 error, not everything could be checked, 1 no longer reported\n\n" + fmt.Sprintf(entry, 3) +
				"\n**Errors**\n\n- `no base @team`\n" +
				"\n**No longer reported**\n\n- ~~`pairs: src/1.go → src/1_test.go`~~\n\n**Not checked again**\n\n- `pairs: src/2.go → src/2_test.go`\n",
		},
		{
			"waived, gone, and back", reportOf(excused, found(1)),
			"**rulecheck failed**: 1 error, 1 no longer reported\n\n" + fmt.Sprintf(entry, 1) +
				"\n**No longer reported**\n\n- ~~`pairs: src/3.go → src/3_test.go`~~\n\n**Waived since**\n\n- `pairs: src/2.go → src/2_test.go`\n",
		},
		{
			"clean", reportOf(),
			"**rulecheck passed**: no findings, 3 no longer reported\n\n**No longer reported**\n\n" +
				"- ~~`pairs: src/1.go → src/1_test.go`~~\n- ~~`pairs: src/3.go → src/3_test.go`~~\n- ~~`pairs: src/2.go → src/2_test.go`~~\n",
		},
	} {
		text = write(t, step.report, text)
		if diff := cmp.Diff(step.want, visible(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// TestFollowing compares random histories with a model: a set of open findings, and one of
// those that were open once and are not now.
func TestFollowing(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		text, seen := "", map[int]bool{}
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			ids := rapid.SliceOfDistinct(rapid.IntRange(1, 8), rapid.ID[int]).Draw(t, "ids")
			var findings []finding.Finding
			for _, id := range ids {
				findings = append(findings, found(id))
			}
			written, err := comment.Text(reportOf(findings...), comment.Options{Previous: text})
			if err != nil {
				t.Fatal(err)
			}
			text = string(written)
			now := map[int]bool{}
			for _, id := range ids {
				now[id], seen[id] = true, true
			}
			for id := range 9 {
				struck := strings.Contains(text, fmt.Sprintf("- ~~`pairs: src/%d.go → src/%[1]d_test.go`~~\n", id))
				listed := strings.Contains(text, fmt.Sprintf("- `src/%d.go:3`", id))
				if listed != now[id] || struck != (seen[id] && !now[id]) {
					t.Fatalf("finding %d, reported %v, seen %v:\n%s", id, now[id], seen[id], text)
				}
			}
		}
	})
}

// TestHostileReports: whatever a report contains, the comment is bounded, mentions no one,
// and is read again.
func TestHostileReports(t *testing.T) {
	evil := "x`` @team ](https://evil.example) <img src=x> \n/close\n<!-- -->" + strings.Repeat("<\"\\\u2028`", 100)
	var findings []finding.Finding
	for id := range 200 {
		f := found(id)
		f.Rule, f.Name, f.Level, f.Path, f.Message = strconv.Itoa(id)+evil, evil, finding.Level(evil), evil, evil
		f.TriggerFiles, f.Expected = []string{evil, f.Path}, []string{evil}
		findings = append(findings, f)
	}
	small := found(1)
	small.Name, small.Level, small.Message = "@team", "@team", "see @team, https://evil.example and #1"
	small.TriggerFiles, small.Expected, small.Path = []string{"@team/x"}, []string{"![a](b)"}, "@team/x"
	for name, list := range map[string][]finding.Finding{"large": findings, "small": {small}} {
		text, err := json.Marshal(reportOf(list...))
		if err != nil {
			t.Fatal(err)
		}
		r, err := comment.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		got := write(t, r, "")
		if len(got) > 65_000 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		outside := codeSpans(visible(got))
		for _, bad := range []string{"@", "http", "<", "](", "#"} {
			if strings.Contains(outside, bad) {
				t.Errorf("%s: %q outside code:\n%s", name, bad, outside)
			}
		}
		if again := write(t, reportOf(), got); !strings.Contains(again, "No longer reported") {
			t.Errorf("%s: nothing is marked:\n%s", name, again)
		}
	}
}

// codeSpans removes the code spans of a text.
func codeSpans(text string) string {
	var out strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, "`")
		out.WriteString(before)
		if !found {
			break
		}
		ticks := "`" + rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		rest = strings.TrimLeft(rest, "`")
		for {
			_, after, closed := strings.Cut(rest, ticks)
			if !closed {
				return out.String() + rest
			}
			if !strings.HasPrefix(after, "`") {
				text = after
				break
			}
			rest = strings.TrimLeft(after, "`")
		}
	}
	return out.String()
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":               `unexpected end of JSON input; want a report written by --format json`,
		`{"version": 2}`: `version 2, exit status 0; want a report written by --format json`,
		`{"version": 1, "findings": [{"fingerprint": "-->"}]}`: `fingerprint "-->"; want hexadecimal digits`,
	} {
		if _, err := comment.Read([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("Read(%s): error %v; want %s", text, err, want)
		}
	}
	long := `[{"id": "1", "what": "` + strings.Repeat("x", 999) + `"}]`
	for _, previous := range []string{"text", string(markdown.Hidden("{}")), string(markdown.Hidden(long))} {
		if _, err := comment.Text(reportOf(), comment.Options{Previous: previous}); err == nil {
			t.Errorf("previous %.40q: no error", previous)
		}
	}
	for _, link := range []string{"javascript:alert(1)", "https://x) @team", "https://x\ny"} {
		if _, err := comment.Text(reportOf(found(1)), comment.Options{Link: link}); err == nil {
			t.Errorf("link %q: no error", link)
		}
	}
}
