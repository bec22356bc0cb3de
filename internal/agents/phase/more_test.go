package phase_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// TestWebhooks checks the reason for each result that does not match.
func TestWebhooks(t *testing.T) {
	tests := []struct{ webhook, result, want string }{
		{`url: u`, ``, `there is no result yet of u; report it: rulecheck workflow next --webhook-result w=FILE`},
		{`url: u`, `[1]`, `its result is [1]; want an object with success, status_code and body`},
		{`url: u`, `{}`, `its result does not say "success"`},
		{`url: u`, `{"success":false}`, `its result has "success": false; want true`},
		{`url: u, expect_success: false`, `{"success":true}`, `its result has "success": true; want false`},
		{`url: u, status: [200, 201]`, `{"success":true}`, `its result has "status_code": nothing; want one of [200 201]`},
		{`url: u, status: [200, 201]`, `{"success":true,"status_code":202}`, `its result has "status_code": 202; want one of [200 201]`},
		{`url: u, status: 200`, `{"success":true,"status_code":200}`, ``},
		{`url: u, body_contains: ok`, `{"success":true,"body":"no"}`, `its body does not contain "ok"`},
		{`url: u, json_field: a.b`, `{"success":true,"body":"no"}`, `its body is not JSON`},
		{`url: u, json_field: a.b`, `{"success":true,"body":"{\"a\":{\"b\":null}}"}`, `its field a.b is null; want any value but null`},
		{`url: u, json_field: a.b`, `{"success":true,"body":{"a":{"b":0}}}`, ``},
		{`url: u, json_field: a.b, json_value: 2`, `{"success":true,"json_body":{"a":{"b":1}}}`, `its field a.b is 1; want 2`},
		{`url: u, json_field: a.b, json_value: [1]`, `{"success":true,"body":"{\"a\":{\"b\":[1]}}"}`, ``},
	}
	for _, c := range tests {
		t.Run(c.webhook+" "+c.result, func(t *testing.T) {
			w := newWorld(t)
			w.workflow("w", "phases: [{name: a, prompt: x, exit_conditions: [{webhook: {"+c.webhook+"}, id: w}]}]")
			w.start("w")
			in := phase.NextInput{}
			if c.result != "" {
				in.Webhooks = map[string][]byte{"w": []byte(c.result)}
			}
			r := w.next(`{}`, in)
			got := ""
			if r.Refused {
				got = r.Unmet[0].Reason
			}
			if got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
		})
	}
}

// TestVariables evaluates exit conditions on variables.
func TestVariables(t *testing.T) {
	w := newWorld(t)
	w.workflow("w", `phases: [{name: a, prompt: x, exit_conditions: [{type: variable_set, variable: v}, 'lib.has_stop_signal']}]`)
	w.start("w")
	want := []phase.Unmet{
		{ID: "variable_set-1", Kind: "variable", Reason: `the variable "v" is not set`},
		{ID: "condition-2", Kind: "condition", Reason: `lib.has_stop_signal: cannot be evaluated: no value for lib.has_stop_signal; want "stop_signal" in the file of --facts`},
	}
	if changed := cmp.Diff(want, w.next(`{}`).Unmet); changed != "" {
		t.Errorf("(-want +got):\n%s", changed)
	}
	w.facts = map[string]any{"v": false, "stop_signal": true}
	if r := w.next(`{}`); !r.WorkflowComplete {
		t.Errorf("%+v; want it complete: the variable was given, whatever its value", r)
	}
}

// TestVariableSet checks that the initial value of a variable does not set it.
func TestVariableSet(t *testing.T) {
	w := newWorld(t)
	w.workflow("w", `{vars: {v: false}, phases: [{name: a, prompt: x, exit_conditions: [{type: variable_set, variable: v}]}]}`)
	w.start("w")
	for _, given := range []map[string]any{nil, {"v": nil}, {"other": true}} {
		w.facts = given
		if r := w.next(`{}`); !r.Refused {
			t.Errorf("%v: %+v; want it refused", given, r)
		}
	}
	w.facts = map[string]any{"v": false}
	if r := w.next(`{}`); !r.WorkflowComplete {
		t.Errorf("%+v; want it complete", r)
	}
}

// TestShow shows and searches the current and completed phases only.
func TestShow(t *testing.T) {
	w := newWorld(t)
	w.Write("docs/one.md", "# One\n\nAll about gates.\n\n## Checkpoint\n\n- [ ] `done`: boolean\n")
	w.Write("docs/two.md", "# Two\n\nMore about gates.\n")
	w.workflow("w", "phases: [{name: one, doc: docs/one.md}, {name: two, doc: docs/two.md, transitions: [{when: ok, to: done}]}]")
	id := w.start("w")
	search := func() string {
		hits, err := w.runner().Search(t.Context(), "", workflow.Query{Text: "gates"})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, h := range hits {
			found = append(found, h.Phase)
		}
		return strings.Join(found, " ")
	}
	if got := search(); got != "one" {
		t.Errorf("found in %q; want one alone", got)
	}
	r, err := w.runner().Show(t.Context(), id, "one")
	if err != nil || r.Number != 1 || r.Name != "one" || r.TotalTokens == 0 || r.Criteria.RequiredEvidence["done"].Type != gate.Boolean {
		t.Errorf("%+v, %v; want one", r, err)
	}
	w.complete("one", `{"done":true}`)
	if got := search(); got != "one two" && got != "two one" {
		t.Errorf("found in %q; want both", got)
	}
	if r, err = w.runner().Show(t.Context(), id, "two"); err != nil || len(r.FromPrevious) != 1 || len(r.Notices) != 1 {
		t.Errorf("%+v, %v; want two, with the artifact of one, and that its gate is open", r, err)
	}
	r = w.complete("two", `{"x":1}`)
	if r.Error != phase.RefusedStay || len(r.Unmet) != 1 || r.Unmet[0].Reason != `with "ok": true the phase "done" is next` {
		t.Errorf("%+v; want that nothing leads on", r)
	}
	if r := w.complete("two", `{"ok":true}`); !r.WorkflowComplete {
		t.Errorf("%+v; want it complete", r)
	}
	if r, err := w.runner().Show(t.Context(), id, "done"); err != nil || r.Number != 0 || r.Status != store.Finished {
		t.Errorf("%+v, %v; want what is behind the last", r, err)
	}
	if s, err := w.runner().Status(t.Context(), id); err != nil || !s.WorkflowComplete || s.CurrentContent != nil {
		t.Errorf("%+v, %v; want it complete", s, err)
	}
	// a completed phase that is taken out of the file
	w.workflow("w", "phases: [{name: two, doc: docs/two.md}]")
	if _, err := w.runner().Show(t.Context(), id, "one"); err == nil {
		t.Error("shows a phase that is gone")
	}
}

// TestProjectPolicies evaluates a mode of the project, and reports why it cannot.
func TestProjectPolicies(t *testing.T) {
	const mode = `# METADATA
# title: Quiet
# description: Fires when an agent says too much.
# custom:
#   params:
#     quiet: integer
#   facts: [session, visit, metrics]
#   counts: {of: commands}
package rulecheck.modes.quiet

# METADATA
# description: one violation
# scope: rule
violations contains violation if {
	input.metrics.count >= input.rule.params.quiet
	violation := %s
}
`
	for answer, want := range map[string]string{`{"message": "hush"}`: "hush", `{"nonsense": 1}`: ""} {
		w := newWorld(t)
		w.Write(".rulecheck/policies/quiet.rego", strings.Replace(mode, "%s", answer, 1))
		w.Rule("hush", "---\nquiet: 2\n---\nSay less.\n")
		w.workflow("w", "nodes: {a: {prompt: x, check_rules: hush}}")
		w.start("w")
		w.log("Bash", `{"command":"make"}`, 2)
		r := w.next(`{}`)
		got := ""
		if r.Interrupt != nil {
			got = r.Interrupt.Diagnostic
		}
		if got != want || want == "" && (len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "nonsense")) {
			t.Errorf("%s: %q, %q; want %q", answer, got, r.Notices, want)
		}
	}
}

// TestErrors checks requests that are impossible.
func TestErrors(t *testing.T) {
	w := newWorld(t)
	w.Write(".rulecheck/config.yml", "min_version: 9.0.0\n")
	engine := w.Open()
	o := phase.Options{GitDir: engine.GitDir(), Now: time.Now, Version: "v1.0.0"}
	if _, err := phase.Open(t.Context(), engine, o); err == nil || !strings.Contains(err.Error(), "9.0.0") {
		t.Errorf("%v; want that the program is too old", err)
	}
	if err := os.Remove(filepath.Join(w.Dir, ".rulecheck", "config.yml")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "elsewhere.yaml")
	if err := os.WriteFile(outside, []byte("nodes: {a: {prompt: Far away., transitions: [{when: ok, to: b}]}, b: {}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := w.runner().Start(t.Context(), outside, ""); err != nil || r.Prompt != "Far away." {
		t.Errorf("%+v, %v; want a workflow from elsewhere", r, err)
	}
	if r := w.next(`{"ok":true}`); r.Phase != "b" {
		t.Errorf("%+v; want b", r)
	}
	if err := os.WriteFile(outside, []byte("nodes: {a: {promt: x}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := w.runner().Next(t.Context(), "", phase.NextInput{})
	if wrong, ok := errors.AsType[*phase.ProblemsError](err); !ok || wrong.Problems[0].Code != "unknown_field" {
		t.Errorf("%v; want the problem", err)
	}
	for name, ask := range map[string]func(f *phase.Runner) error{
		"next": func(f *phase.Runner) error {
			_, err := f.Next(t.Context(), "0123456789abcdef", phase.NextInput{})
			return err
		},
		"complete": func(f *phase.Runner) error {
			_, err := f.Complete(t.Context(), "0123456789abcdef", "a", nil)
			return err
		},
		"continue": func(f *phase.Runner) error { _, err := f.Continue(t.Context(), "0123456789abcdef"); return err },
		"show":     func(f *phase.Runner) error { _, err := f.Show(t.Context(), "0123456789abcdef", "a"); return err },
		"status":   func(f *phase.Runner) error { _, err := f.Status(t.Context(), "0123456789abcdef"); return err },
		"search": func(f *phase.Runner) error {
			_, err := f.Search(t.Context(), "0123456789abcdef", workflow.Query{})
			return err
		},
		"abort":  func(f *phase.Runner) error { _, err := f.Abort(t.Context(), "0123456789abcdef"); return err },
		"delete": func(f *phase.Runner) error { return f.Delete(t.Context(), "0123456789abcdef") },
		"lint":   func(f *phase.Runner) error { _, err := f.Lint(t.Context(), "nothing"); return err },
	} {
		if err := ask(w.runner()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDeveloper goes through the bundled workflow developer, once back, to
// its end.
func TestDeveloper(t *testing.T) {
	w := newWorld(t)
	w.start("developer")
	steps := []struct{ phase, evidence, next string }{
		{"claim", `{"task":""}`, ""},
		{"claim", `{"task":"gh-7"}`, "red"},
		{"red", `{"failing_tests":0}`, ""},
		{"red", `{"failing_tests":2}`, "green"},
		{"green", `{"failing_tests":1}`, ""},
		{"green", `{"failing_tests":0}`, "blue"},
		{"blue", `{"failing_tests":0}`, "reflect"},
		{"reflect", `{"findings":["a test is missing"],"redo":true}`, "red"},
		{"red", `{"failing_tests":1}`, "green"},
		{"green", `{"failing_tests":0}`, "blue"},
		{"blue", `{"failing_tests":0}`, "reflect"},
		{"reflect", `{"findings":[]}`, "commit"},
		{"commit", `{"commit":"not yet"}`, ""},
		{"commit", `{"commit":"1234567"}`, "report"},
		{"report", `{"summary":"done"}`, "shutdown"},
		{"shutdown", `{"stopped":false}`, ""},
		{"shutdown", `{"stopped":true}`, "done"},
	}
	for _, s := range steps {
		r := w.complete(s.phase, s.evidence)
		if r.Refused != (s.next == "") || !r.Refused && r.Phase != s.next {
			t.Fatalf("%s %s: %+v; want %q", s.phase, s.evidence, r, s.next)
		}
		if len(r.Notices) > 1 || len(r.Notices) == 1 && !strings.Contains(r.Notices[0], "no agent log") {
			t.Errorf("%s %s: %q; want no notices", s.phase, s.evidence, r.Notices)
		}
	}
	w.start("developer")
	w.complete("claim", `{"task":"gh-8"}`)
	w.log("Bash", `{"command":"go test"}`, 6)
	if r := w.next(`{}`); r.Interrupt == nil || r.Interrupt.Rule != "command-loop" || !strings.Contains(r.Interrupt.Suggestion, "Read the last output") {
		t.Errorf("%+v; want the rule that the phases share", r.Interrupt)
	}
}
