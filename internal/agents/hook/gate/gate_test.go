package gate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
)

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (r *agentRun) reason(answer string) string {
	r.T.Helper()
	d, c := r.stop(answer)
	text, err := c.Reason(d)
	if err != nil {
		r.T.Fatal(err)
	}
	return text
}

// TestReason checks the text for an agent: findings of each level, by rule, with the
// instructions once, and how to go on.
func TestReason(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	r.Write("src/a.py", "a\n")
	r.Write("src/b.py", "b\n")
	r.Rule("docs", "---\nname: Docs `first`\nlevel: warning\npair: {trigger: \"src/{x}.py\", expects: \"docs/{x}.md\"}\n---\nDescribe it in {expected_files}.")
	r.Rule("readme", "---\nlevel: note\ntrigger: \"src/**\"\nsafety: README.md\n---\nRead the README.")
	r.Rule("tests", "---\nname: Tests\npair: {trigger: \"src/{x}.py\", expects: \"tests/{x}_test.py\"}\n---\nWrite a test.")
	r.Commit("first")
	equal(t, "nothing changed", r.reason(""), "")
	r.Write("src/a.py", "a = 1\n")
	r.Write("src/b.py", "b = 1\n")
	equal(t, "reason", r.reason("done"), strings.ReplaceAll(`The following rules require attention:

## Tests (error)
'src/a.py' → 'tests/a_test.py'  
'src/b.py' → 'tests/b_test.py'

Write a test.

## Docs \'first\' (warning)
'src/a.py' → 'docs/a.md'  
'src/b.py' → 'docs/b.md'

Describe it in 'docs/a.md', 'docs/b.md'.

## readme (note)
'src/a.py'  
'src/b.py'

Read the README.

failed: 2 errors, 2 warnings, 1 note; 2 changes, 3 rules (from worktree)

Do what these rules ask for. If a rule is followed already or does not apply, end your answer with <promise>Tests</promise>, with the name of that rule.
`, "'", "`"))
	// The same again: nothing blocks, and the user reads why.
	d, _ := r.stop("done")
	equal(t, "open", gate.OpenText(d.Open), `rulecheck: the agent stopped with 4 open findings
- Tests: reported to the agent before, and unchanged (2 findings)
- Docs `+"`first`"+`: reported to the agent before, and unchanged (2 findings)
run rulecheck to see them`)
	// One rule is promised in code, which is no promise, and one is.
	r.Write("src/a.py", "a = 2\n")
	text := r.reason("`<promise>Tests</promise>` and <promise>docs `first`</promise>")
	if !strings.Contains(text, "## Tests (error)\n`src/a.py` → `tests/a_test.py`\n") || strings.Contains(text, "## Docs") || strings.Contains(text, "src/b.py` →") {
		t.Errorf("after a change:\n%s", text)
	}
	r.Write("tests/a_test.py", "a")
	r.Write("docs/a.md", "a")
	equal(t, "followed", r.reason("done"), "")
}

// TestLongReason keeps the end of a reason whose list is too long for agents.
func TestLongReason(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	for n := range 40 {
		r.Rule(fmt.Sprintf("rule%02d", n), "---\ntrigger: \"src/**\"\n---\n"+strings.Repeat("Look at it again. ", 30))
	}
	r.Commit("first")
	r.Write("src/a.py", "a = 1\n")
	text := r.reason("")
	if len(text) > 9_500 || !strings.HasPrefix(text, "The following rules") || !strings.Contains(text, "\n…\n\nThe list is cut; run rulecheck to see all findings.\n\nDo what these rules ask for.") || !strings.HasSuffix(text, "with the name of that rule.\n") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
}

// TestNotes shows notes once, without holding the agent up.
func TestNotes(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	r.Rule("readme", "---\nlevel: note\ntrigger: \"src/**\"\nsafety: README.md\n---\nRead the README.")
	r.Commit("first")
	r.Write("src/a.py", "a = 1\n")
	for _, want := range []string{"## readme (note)\n`src/a.py`\n\nRead the README.", ""} {
		d, c := r.stop("")
		notes, err := c.Notes(d)
		if reason, _ := c.Reason(d); err != nil || reason != "" || !strings.Contains(notes, want) || (want == "") != (notes == "") {
			t.Errorf("%q, %q, %v; want %q", reason, notes, err, want)
		}
	}
}

// TestHashesOfFindings changes everything that a finding consists of.
func TestHashesOfFindings(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	const docs = "---\npair: {trigger: \"src/{x}.py\", expects: \"docs/{x}.md\"}\ncompare_to: prompt\n---\n"
	r.Rule("docs", docs+"Describe it.")
	r.Commit("first")
	r.do(step{Op: "prompt"})
	seen := map[string]bool{}
	for _, change := range []struct {
		name string
		do   func()
	}{
		{"a change", func() { r.Write("src/a.py", "a = 1\n") }},
		{"its content", func() { r.Write("src/a.py", "a = 2\n") }},
		{"the instructions", func() { r.Rule("docs", docs+"Describe it well.") }},
		{"the level", func() { r.Rule("docs", strings.Replace(docs, "pair", "level: warning\npair", 1)+"Describe it well.") }},
		{"what is expected", func() { r.Rule("docs", strings.Replace(docs, "docs/", "doc/", 1)+"Describe it well.") }},
		{"another prompt", func() { r.do(step{Op: "prompt"}); r.Write("src/a.py", "a = 1\n") }},
	} {
		change.do()
		r.session = change.name // which has blocks left
		if d, _ := r.stop(""); len(d.Block) != 1 || seen[d.Block[0].Hash] {
			t.Errorf("%s: %+v; want one finding with a new hash", change.name, d)
		} else {
			seen[d.Block[0].Hash] = true
		}
		if d, _ := r.stop(""); len(d.Block) != 0 {
			t.Errorf("%s: blocks again", change.name)
		}
	}
}

// TestCommandsFail keeps the exit status of a command, and nothing that it printed.
func TestCommandsFail(t *testing.T) {
	t.Parallel()
	r := newRun(t)
	r.Rule("fmt", "---\ntrigger: \"*.py\"\naction: {command: [sh, -c, 'echo secret; exit 3']}\n---\n")
	r.Commit("first")
	r.Write("a.py", "a\n")
	text := r.reason("")
	if !strings.Contains(text, "status 3") || !strings.Contains(text, "secret") {
		t.Errorf("%s", text)
	}
	entries, _, err := r.store.Entries(t.Context())
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	e := entries[0]
	if e.Status != queue.Failed || e.ActionResult == nil || *e.ActionResult.ExitCode != 3 || e.ActionResult.Output != nil || e.ActionResult.Type != "command" {
		t.Errorf("%+v", e)
	}
	if !regexp.MustCompile(`^base:[0-9a-f]{40}$`).MatchString(e.BaselineRef) {
		t.Errorf("compared with %q", e.BaselineRef)
	}
}
