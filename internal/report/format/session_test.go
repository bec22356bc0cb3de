package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

// A report of a change may contain sessions.
func TestAChangeWithSessions(t *testing.T) {
	for name, want := range map[string][]string{
		"text": {
			"src/auth/login.py:12 → tests/auth/login_test.py\n",
			"logs/claude/1f3c2a40.jsonl:88: claude 1f3c2a40… code (visit 4): cargo build --release executed 6 times in 2 minutes, " +
				"first at 2026-05-01 10:27:20Z, peak 9\n",
			"tokens: 30,000 input, ",
			"\nfailed: not everything could be checked, 1 problem in rules or configuration; 17 errors, 4 warnings, 1 note; " +
				"18 changes, 5 sessions, 9 rules, 2 waived, 1 skipped, 1 could not be checked\n",
		},
		"markdown": {"## Build loop (error)\n", "## Source/Test Pairing (error)\n", "| `1f3c2a40…` | claude | `feature/login` | 2026-05-01 09:58:00Z | 30 (15 failed) | 15 | 37,350 | 3\\.10 USD | 2 |\n"},
		"json":     {`"expected": [`, `"recent_events": [`, `"sessions": 5`, `"git_branch": "feature/login"`},
		"sarif":    {`"metrics_snapshot": {`, `"uri": "logs/claude/1f3c2a40.jsonl"`},
		"github":   {"::error file=logs/claude/1f3c2a40.jsonl,line=88,title=Build loop::claude 1f3c2a40… code (visit 4): cargo"},
		"html":     {">5</dd>", `<a href="#session-1@`, `>claude 1f3c2a40… code (visit 4)</a>`, "tests/auth/login_test.py"},
	} {
		got := write(t, name, reporttest.Both(), format.Options{})
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
	}
}

func TestSessionsInJSON(t *testing.T) {
	var read struct {
		Summary struct {
			Sessions int
			Tokens   map[string]int64
		}
		Sessions    []map[string]any
		Diagnostics []map[string]any
		Findings    []map[string]any
	}
	if err := json.Unmarshal([]byte(write(t, "json", reporttest.Audited(), format.Options{})), &read); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"input": 30_000, "output": 7_350, "cache_read": 1_755_000, "cache_write": 31_500}
	if read.Summary.Sessions != 5 || !cmp.Equal(read.Summary.Tokens, want) {
		t.Errorf("summary = %+v, want 5 sessions and the sums %v", read.Summary, want)
	}
	if len(read.Sessions) != 5 || len(read.Diagnostics) != 1 {
		t.Errorf("%d sessions and %d diagnostics of other logs, want 5 and 1", len(read.Sessions), len(read.Diagnostics))
	}
	for _, s := range read.Sessions {
		for _, list := range []string{"logs", "visits", "diagnostics"} {
			if _, ok := s[list].([]any); !ok {
				t.Errorf("session %q has %s = %v, want a list", s["id"], list, s[list])
			}
		}
	}
	for _, f := range read.Findings {
		for _, key := range []string{
			"session", "visit", "first_at", "peak", "count", "rule_type", "diagnostic", "suggestion", "recent_events", "metrics_snapshot",
		} {
			if f[key] == nil {
				t.Errorf("a finding of %s lacks %s", f["rule"], key)
			}
		}
	}
}

// An audit without logs reports that there are no sessions in every format; a check without sessions does not mention them.
func TestReportsWithoutSessions(t *testing.T) {
	empty := &report.Report{Version: 1, Command: report.Audit, RulesFrom: "worktree", Summary: report.Summary{Rules: 2}}
	const want = "passed: no sessions; 2 rules\n"
	for _, name := range []string{"text", "markdown", "github"} {
		if got := write(t, name, empty, format.Options{}); !strings.HasSuffix(got, want) {
			t.Errorf("%s = %q, want it to end in %q", name, got, want)
		}
	}
	if got := write(t, "json", empty, format.Options{}); !strings.Contains(got, `"sessions": []`) || !strings.Contains(got, `"diagnostics": []`) {
		t.Errorf("json = %s, want empty lists", got)
	}
	if got := write(t, "sarif", empty, format.Options{}); !strings.Contains(got, `"id": "rulecheck/audit/"`) {
		t.Errorf("sarif = %s, want the category of audits", got)
	}
	for _, f := range format.All() {
		if got := chartless(write(t, f.Name, reporttest.Rich(), format.Options{})); strings.Contains(got, "session") || strings.Contains(got, "tokens:") {
			t.Errorf("%s mentions sessions, and there are none", f.Name)
		}
	}
}

// Recent events need --verbose; problems of logs are always reported.
func TestSessionsInVerboseText(t *testing.T) {
	const event = "      10:26:00 cargo build --release\n"
	r := reporttest.Audited()
	for i := range 9 {
		r.Diagnostics = append(r.Diagnostics, fact.Diagnostic{
			Place: fact.Place{File: fmt.Sprintf("z%d.jsonl", i), Line: 1}, Message: "torn", Loss: true,
		})
	}
	short, long := write(t, "text", r, format.Options{}), write(t, "text", r, format.Options{Verbose: true})
	if strings.Contains(short, event) || !strings.Contains(long, event) {
		t.Errorf("want %q in the verbose report alone", event)
	}
	if !strings.Contains(short, "logs: 12 unreadable lines in 11 files, skipped") || !strings.Contains(short, "  and 6 more; --verbose lists them\n") {
		t.Errorf("text is\n%swant the first five diagnostics and how many more", short)
	}
	if !strings.Contains(long, "  z8.jsonl:1: torn\n") || !strings.Contains(long, "4 unusual lines in 2 files, nothing lost\n") {
		t.Errorf("verbose text is\n%swant every diagnostic", long)
	}
	if quiet := write(t, "text", r, format.Options{Quiet: true}); strings.Contains(quiet, "logs:") || strings.Contains(quiet, "tokens:") {
		t.Errorf("quiet text is\n%swant findings and errors alone", quiet)
	}
	if got := write(t, "markdown", r, format.Options{}); !strings.Contains(got, "- and 6 more\n") {
		t.Errorf("markdown is\n%swant the number of the rest", got)
	}
}

// Hostile text adds no line, no terminal control, no command of a runner and no HTML.
func TestHostileTextDoesNothing(t *testing.T) {
	var summary bytes.Buffer
	write(t, "github", reporttest.Both(), format.Options{StepSummary: &summary})
	texts := map[string]string{"job summary": summary.String()}
	for _, f := range format.All() {
		texts[f.Name] = write(t, f.Name, reporttest.Both(), format.Options{Verbose: true})
	}
	for name, text := range texts {
		if !utf8.ValidString(text) {
			t.Errorf("%s is not UTF-8", name)
		}
		for line := range strings.Lines(text) {
			trimmed := strings.TrimSpace(line)
			if name != "github" && strings.HasPrefix(trimmed, "::") {
				t.Errorf("%s has the command %q", name, line)
			}
			if name != "html" && name != "json" && name != "sarif" && strings.ContainsFunc(strings.TrimRight(line, "\n"), func(r rune) bool {
				return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028'
			}) {
				t.Errorf("%s has a control character in %q", name, line)
			}
		}
	}
}

func TestTokensOfSessions(t *testing.T) {
	seven := int64(7)
	r := &report.Report{Command: report.Audit, RulesFrom: "worktree", Sessions: []report.Session{
		{ID: "a", Tokens: fact.TokenCount{Input: &seven}}, {ID: "b", Tokens: fact.TokenCount{Input: &seven}}, {ID: "c", End: time.Unix(1, 0)},
	}}
	const want = "tokens: 14 input, unknown output, unknown cache read, unknown cache write (unknown for 3 of 3 sessions); " +
		"cost: unknown (3 sessions of unknown price: the session has no cost in the report)\n" +
		"not checked: no rule applies; 3 sessions\n"
	if got := write(t, "text", r, format.Options{}); !strings.HasSuffix(got, want) {
		t.Errorf("text = %q, want it to end in %q", got, want)
	}
	if got := write(t, "text", r, format.Options{Color: true}); !strings.Contains(got, "\x1b[1;33mnot checked: ") {
		t.Errorf("text = %q, want a run without rules to be yellow", got)
	}
	if seven != 7 {
		t.Errorf("a session's tokens became %d", seven)
	}
}

func TestTablesOfSessionsAreCut(t *testing.T) {
	r := reporttest.Archive(300, 1)
	got := write(t, "markdown", r, format.Options{})
	if n := strings.Count(got, "\n| `"); n != 50 {
		t.Errorf("the table has %d rows, want 50", n)
	}
	if !strings.Contains(got, "\nand 10 more with findings\n") {
		t.Error("the table has no number of the rest")
	}
}

// TestSuggestionWithInvalidBytes holds that the body of a session rule is printable in
// JSON, where it is the suggestion.
func TestSuggestionWithInvalidBytes(t *testing.T) {
	r := reporttest.Audited()
	r.Findings[0].Body = "caf\xe9"
	for _, name := range []string{"json", "sarif"} {
		if got := write(t, name, r, format.Options{}); !strings.Contains(got, `"suggestion": "caf\\xe9"`) {
			t.Errorf("%s lacks the printable suggestion", name)
		}
	}
}
