package format_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

func TestMarkdownNames(t *testing.T) {
	tests := []struct{ path, want string }{
		{"src/auth/login_test.py", "`src/auth/login_test.py`"},
		{".github/workflows/ci-2.yml", "`.github/workflows/ci-2.yml`"},
		{"docs/été.md", "`docs/été.md`"},
		{"a__b.py", "`a__b.py`"},
		{"_a.py", "`_a.py`"},
		{"a_/b", "`a_/b`"},
		{"-", "`-`"},
		{"1.", "`1.`"},
		{"www.example.com/x", "`www.example.com/x`"},
		{" a", "`  a `"},
		{"a``b", "```a``b```"},
		{"`", "`` ` ``"},
		{"a@b", "`a@b`"},
		{`a\b`, "`a\\b`"},
		{"a\tb", "`a\\tb`"},
	}
	for _, tt := range tests {
		r := reporttest.Clean()
		r.Findings = []finding.Finding{{Rule: "r", Mode: "created", Level: finding.Error, Path: tt.path, TriggerFiles: []string{tt.path}}}
		if got, want := write(t, "markdown", r, format.Options{}), "\n\n## r\n"+tt.want+"\n\n"; !strings.Contains(got, want) {
			t.Errorf("%q gives\n%swant the line %s", tt.path, got, tt.want)
		}
	}
}

func TestMarkdownProse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"plain words, a-b (c) & d < e > f.", "plain words, a-b (c) & d < e > f."},
		{"*bold* _it_ `code` ~gone~ snake_case", "\\*bold\\* \\_it\\_ \\`code\\` \\~gone\\~ snake_case"},
		{"[x](y) <b> &amp; &#38;", `\[x](y) \<b> \&amp; \&#38;`},
		{`a\*b a\b a\`, `a\\\*b a\b a\\`},
		{"# head #tail a#b", `\# head \#tail a#b`},
		{"- item", `\- item`},
		{"> quote", `\> quote`},
		{"1. one", `1\. one`},
		{"22) two", `22\) two`},
		{"two\nlines\x1b", `two\nlines\x1b`},
	}
	for _, tt := range tests {
		r := reporttest.Clean()
		r.Notices = []string{tt.text}
		if got, want := write(t, "markdown", r, format.Options{}), "\n\n## Notices\n- "+tt.want+"\n\n"; !strings.Contains(got, want) {
			t.Errorf("%q gives\n%swant the line - %s", tt.text, got, tt.want)
		}
	}
}

// A code block that a rule forgets to close ends with the rule.
func TestMarkdownClosesCodeBlocks(t *testing.T) {
	tests := []struct{ body, want string }{
		{"```go\nx", "```go\nx\n```"},
		{"```go\nx\n```", "```go\nx\n```"},
		{"~~~~\n~~~\n```", "~~~~\n~~~\n```\n~~~~"},
		{"```\n``` go\n````", "```\n``` go\n````"},
		{"``` a`b\nx", "``` a`b\nx"},
		{"a\n\n    ```\nx", "a\n\n    ```\nx"},
		{"    ```\nx", "```\nx\n```"},
	}
	for _, tt := range tests {
		r := reporttest.Clean()
		r.Findings = []finding.Finding{{Rule: "r", Mode: "created", Level: finding.Error, Path: "a", Body: tt.body}}
		if got, want := write(t, "markdown", r, format.Options{}), "## r\n`a`\n\n"+tt.want+"\n\nindex against"; !strings.Contains(got, want) {
			t.Errorf("%q gives\n%swant it to contain\n%s", tt.body, got, want)
		}
	}
}

func TestMarkdownOpening(t *testing.T) {
	r := reporttest.Clean()
	r.Errors = []finding.Problem{{Code: report.NotEvaluated, Message: "no base"}}
	got := write(t, "markdown", r, format.Options{})
	if want := "No rule requires attention, but not everything could be evaluated:\n\n## Errors\n- no base\n"; !strings.HasPrefix(got, want) {
		t.Errorf("markdown is\n%swant it to begin\n%s", got, want)
	}
}

// No text of a waiver ends its cell or its row.
func TestMarkdownWaivers(t *testing.T) {
	tests := []struct{ path, reason, want string }{
		{"a|b", "x | y", "`a\\|b` | promise |  | x \\| y"},
		{`a\|b`, `x \| y`, "`a\\&#124;b` | promise |  | x \\\\&#124; y"},
		{"a", "two\nlines <b>", "`a` | promise |  | two\\nlines \\<b>"},
	}
	for _, tt := range tests {
		r := reporttest.Clean()
		r.Findings = []finding.Finding{{
			Rule: "r", Mode: "created", Level: finding.Error, Path: tt.path, TriggerFiles: []string{tt.path},
			Waiver: &finding.Waiver{Source: finding.Promise, Reason: tt.reason},
		}}
		if got, want := write(t, "markdown", r, format.Options{}), "\n|---|---|---|---|---|\n| r | "+tt.want+" |\n\n"; !strings.Contains(got, want) {
			t.Errorf("%q, %q gives\n%swant the row%s", tt.path, tt.reason, got, want)
		}
	}
}

// A list at the beginning of instructions is not a part of the list of entries.
func TestMarkdownSeparatesLists(t *testing.T) {
	r := reporttest.Clean()
	r.Findings = []finding.Finding{{Rule: "r", Mode: "created", Level: finding.Error, Path: "a", Body: "- b → c\n- d\n"}}
	var summary strings.Builder
	write(t, "github", r, format.Options{StepSummary: &summary})
	if want := "## r (error)\n- `a`\n\n<!-- -->\n\n- b → c\n- d\n\nindex against"; !strings.Contains(summary.String(), want) {
		t.Errorf("the summary is\n%swant it to contain\n%s", summary.String(), want)
	}
	if got := write(t, "markdown", r, format.Options{}); !strings.Contains(got, "## r\n`a`\n\n- b → c\n") {
		t.Errorf("the report is\n%swant the list below the entry", got)
	}
}
