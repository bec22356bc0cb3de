package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/setup"
)

const sourceTest = "---\nset: [\"src/{path}.py\", \"tests/{path}_test.py\"]\n---\nChange both.\n"

// changed is a repository with a finding of the rule source-test.
func changed(t *testing.T) *repository {
	t.Helper()
	r := newRepository(t)
	r.Write(".rulecheck/rules/source-test.md", sourceTest)
	r.Write("src/a.py", "1\n")
	r.Write("tests/a_test.py", "1\n")
	r.Commit("first")
	r.Write("src/a.py", "2\n")
	return r
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r := changed(t)
	got := r.call("check", nil)
	findings, _ := got.data["findings"].([]any)
	if got.refused || len(findings) != 1 {
		t.Fatalf("check: %v", got)
	}
	finding, _ := findings[0].(map[string]any)
	if finding["rule"] != "source-test" || finding["path"] != "src/a.py" || !cmp.Equal([]any{"tests/a_test.py"}, finding["expected"]) {
		t.Errorf("finding: %v", finding)
	}
	if !strings.HasPrefix(got.text, "The following rules require attention:") || !strings.Contains(got.text, "`src/a.py` → `tests/a_test.py`") {
		t.Errorf("text: %s", got.text)
	}
	r.Write("tests/a_test.py", "2\n")
	if got := r.call("check", map[string]any{}); got.refused || len(got.data["findings"].([]any)) != 0 {
		t.Errorf("after the test was changed: %v", got)
	}
}

// TestCheckIsBounded checks that a large change fills neither the text nor the data, and
// that both count what they leave out.
func TestCheckIsBounded(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/rules/docs.md", "---\ncreated: \"src/**\"\n---\nDocument {created_files}.\n")
	r.Write(".rulecheck/rules/log.md", "---\npair: {trigger: \"src/{path}\", expects: CHANGELOG.md}\n---\nLog.\n")
	r.Commit("first")
	for i := range 60 {
		r.Write(fmt.Sprintf("src/%02d.py", i), "1\n")
	}
	got := r.call("check", nil)
	findings, _ := got.data["findings"].([]any)
	summary, _ := got.data["summary"].(map[string]any)
	notices := fmt.Sprint(got.data["notices"])
	if len(findings) != 21 || summary["findings"] != 61.0 || summary["changes"] != 60.0 {
		t.Errorf("%d findings, summary %v; want 20 and 1 of 61", len(findings), summary)
	}
	if want := "not listed here: 40 findings, 40 files, 40 changes; rulecheck --format json lists all"; !strings.Contains(notices, want) {
		t.Errorf("notices %s; want %q", notices, want)
	}
	for _, want := range []string{"`src/00.py`, `src/01.py`, `src/02.py` and 57 more → `CHANGELOG.md`", "\nand 40 more\n", "failed: 61 errors; "} {
		if !strings.Contains(got.text, want) {
			t.Errorf("the text lacks %q:\n%s", want, got.text)
		}
	}
	if strings.Contains(got.text, "src/59.py") {
		t.Errorf("the text names every file:\n%s", got.text)
	}
}

// TestCheckArguments checks that every argument reaches the options of the check.
func TestCheckArguments(t *testing.T) {
	t.Parallel()
	r := changed(t)
	for _, c := range []struct {
		arguments map[string]any
		want      check.Options
	}{
		{nil, check.Options{}},
		{map[string]any{"sessions": true, "staged": false, "since": "", "only": []string{}}, check.Options{}},
		{map[string]any{"sessions": false, "staged": true}, check.Options{Staged: true, NoSessions: true}},
		{map[string]any{"since": "main", "only": []string{"source-test"}}, check.Options{Since: "main", Selection: setup.Selection{Only: []string{"source-test"}}}},
		{map[string]any{"from": "main", "to": "HEAD", "skip": []string{"source-test"}}, check.Options{From: "main", To: "HEAD", Selection: setup.Selection{Skip: []string{"source-test"}}}},
	} {
		r.asked = nil
		if got := r.call("check", c.arguments); got.refused {
			t.Errorf("%v: %v", c.arguments, got)
		}
		if diff := cmp.Diff([]check.Options{c.want}, r.asked, cmp.Comparer(func(a, b setup.Selection) bool {
			return strings.Join(a.Only, ",") == strings.Join(b.Only, ",") && strings.Join(a.Skip, ",") == strings.Join(b.Skip, ",")
		})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.arguments, diff)
		}
	}
}

// TestCheckRefs checks that unknown revisions are errors, whatever they look like.
func TestCheckRefs(t *testing.T) {
	t.Parallel()
	r := changed(t)
	for _, ref := range []string{"--help", "-", "no such branch", "main:src/a.py", "..", "main..main"} {
		for _, name := range []string{"since", "from", "to"} {
			if got := r.call("check", map[string]any{name: ref}); !got.refused || !strings.Contains(got.text, ref) {
				t.Errorf("%s %q: %v", name, ref, got)
			}
		}
	}
}

// TestCheckIncomplete checks that an incomplete report is refused but returned.
func TestCheckIncomplete(t *testing.T) {
	t.Parallel()
	r := changed(t)
	r.Write(".rulecheck/rules/bad.md", "---\ntrigger: src/**\ncolour: red\n---\nLook.\n")
	got := r.call("check", nil)
	findings, _ := got.data["findings"].([]any)
	errors, _ := got.data["errors"].([]any)
	if !got.refused || len(findings) != 1 || len(errors) != 1 || !strings.Contains(got.text, `unknown key "colour"`) {
		t.Errorf("with a malformed rule: %v", got)
	}
}
