package rule_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// modes are those that come with the program.
func modes(tb testing.TB) policies.Modes {
	tb.Helper()
	bundle, err := policies.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return bundle.Modes
}

type conformanceCase struct {
	ID       string
	File     string
	Markdown string
	Rule     map[string]any
	Error    string
}

func conformanceCases(tb testing.TB, file string) []conformanceCase {
	tb.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var suite struct {
		Count int
		Cases []conformanceCase
	}
	if err := json.Unmarshal(content, &suite); err != nil {
		tb.Fatal(err)
	}
	if len(suite.Cases) != suite.Count || suite.Count == 0 {
		tb.Fatalf("%s has %d cases and says %d", file, len(suite.Cases), suite.Count)
	}
	return suite.Cases
}

func TestConformanceValid(t *testing.T) {
	t.Parallel()
	for _, c := range conformanceCases(t, "testdata/rules_valid.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			r, problems := rule.Parse(c.File, []byte(c.Markdown), modes(t))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(c.Rule, normalized(t, r)); diff != "" {
				t.Errorf("rule (-want +got):\n%s", diff)
			}
		})
	}
}

// normalized gives a rule the form of the conformance cases.
func normalized(t *testing.T, r *rule.Rule) map[string]any {
	t.Helper()
	form := map[string]any{
		"id": r.ID, "name": r.Name, "mode": r.Mode, "body": r.Body, "compare_to": r.CompareTo, "action": "prompt",
	}
	if r.Action != nil {
		form["action"], form["command"], form["run_for"] = "command", r.Action.Command, r.Action.RunFor
	}
	for name, patterns := range r.Patterns {
		sources := []any{}
		for _, p := range patterns {
			sources = append(sources, p.String())
		}
		form[name] = sources
	}
	switch r.Mode {
	case "trigger":
		form["mode"] = "trigger_safety"
		if _, ok := form["safety"]; !ok {
			form["safety"] = []any{}
		}
	case "pair":
		trigger, ok := form["pair.trigger"].([]any)
		if !ok || len(trigger) != 1 {
			t.Fatalf("pair.trigger is %v; want one pattern", form["pair.trigger"])
		}
		form["pair"] = map[string]any{"trigger": trigger[0], "expects": form["pair.expects"]}
		delete(form, "pair.trigger")
		delete(form, "pair.expects")
	}
	return form
}

// decided are the cases that we answer otherwise than they say: with another
// code, or where it is empty by loading the rule.
var decided = map[string]struct{ code, reason string }{
	"invalid-001": {"", "name is optional: the file's stem serves"},
	"invalid-003": {"", "compare_to is optional: base"},
	"invalid-028": {"bad_value", "an action may have a timeout; 3 lacks its unit"},
	"invalid-037": {"", "a command may be a list of words"},
	"invalid-043": {"", "under YAML 1.2 yes is a text"},
	"invalid-095": {"", "wildcards are legal in a set whose members bind the same captures"},
}

// codes are our words where they are not the cases'.
var codes = map[string]string{"set_too_few": "too_few"}

func TestConformanceInvalid(t *testing.T) {
	t.Parallel()
	cases := conformanceCases(t, "testdata/rules_invalid.json")
	left := len(decided)
	for _, c := range cases {
		want := c.Error
		if ours, ok := codes[want]; ok {
			want = ours
		}
		if d, ok := decided[c.ID]; ok {
			want = d.code
			left--
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			r, problems := rule.Parse(c.File, []byte(c.Markdown), modes(t))
			if want == "" {
				if len(problems) > 0 || r == nil {
					t.Fatalf("problems %v; want a rule", problems)
				}
				return
			}
			other := func(p finding.Problem) bool { return p.Code != want }
			if r != nil || len(problems) == 0 || slices.ContainsFunc(problems, other) {
				t.Fatalf("rule %v, problems %v; want problems with the code %s", r, problems, want)
			}
		})
	}
	if left != 0 {
		t.Errorf("%d of the decided cases do not exist", left)
	}
}
