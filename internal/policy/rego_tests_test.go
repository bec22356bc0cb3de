package policy_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

const ownMode = `# METADATA
# title: Files that are loud
# description: A loud file is one finding.
# custom:
#   params: {loud: patterns}
#   facts: [matches]
package rulecheck.modes.loud

import data.rulecheck.lib

violations contains {"path": match.path, "message": lib.listed({match.path})} if some match in input.matches.loud
`

// runTests runs the tests in text for the mode above.
func runTests(ctx context.Context, t *testing.T, text string) ([]policy.Test, []finding.Problem, error) {
	t.Helper()
	own := fstest.MapFS{
		"policies/loud.rego":      {Data: []byte(ownMode)},
		"policies/loud_test.rego": {Data: []byte(text)},
	}
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	bundle, problems := bundle.With(own, "policies", rule.CommonKeys())
	modules, wrong := policies.Tests(own, "policies")
	if problems = append(problems, wrong...); len(problems) > 0 {
		t.Fatal(problems)
	}
	return policy.RunTests(ctx, bundle, modules)
}

const ownTests = `package rulecheck.modes.loud_test

import data.rulecheck.lib
import data.rulecheck.modes.loud as mode

_loud := {"matches": {"loud": [{"path": "a", "captures": {}, "change": {"path": "a"}}]}}

test_names_the_file if {
	mode.violations == {{"path": "a", "message": "a"}} with input as _loud
}

test_may_use_the_library if lib.listed({"a"}) == "a"

test_of_something_false if {
	print("so it is said:", 1 + 1)
	mode.violations == set() with input as _loud
}

test_of_a_builtin_that_fails if regex.match("(", "a")

test_cases[name] if {
	some name, n in {"one": 1, "two": 2}
	n == 1
}

todo_test_later if false
`

func TestRunTests(t *testing.T) {
	t.Parallel()
	got, problems, err := runTests(t.Context(), t, ownTests)
	if err != nil || problems != nil {
		t.Fatal(problems, err)
	}
	const pkg = "rulecheck.modes.loud_test."
	want := []policy.Test{
		{Name: pkg + "test_names_the_file", Line: 8, Column: 1},
		{Name: pkg + "test_may_use_the_library", Line: 12, Column: 1},
		{Name: pkg + "test_of_something_false", Line: 14, Column: 1, Failure: "the test fails", Output: "so it is said: 2\n"},
		{Name: pkg + "test_of_a_builtin_that_fails", Line: 19, Column: 1, Failure: "policies/loud_test.rego:19: eval_builtin_error: regex.match: error parsing regexp: missing closing ): `(`"},
		{Name: pkg + "test_cases", Line: 21, Column: 1, Failure: `the test fails; the case "two" fails`},
		{Name: pkg + "todo_test_later", Line: 26, Column: 1, Skipped: true},
	}
	for i := range want {
		want[i].File = "policies/loud_test.rego"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
}

func TestRunTestsRefusesWhatPoliciesMayNotUse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{
			"the network", `http.send({"url": "http://localhost", "method": "get"}).status_code == 200`,
			"policies/loud_test.rego:3:12: undefined function http.send",
		},
		{
			"a fact that is not there", "input.chagnes == []",
			"policies/loud_test.rego:3:18: undefined ref: input.chagnes",
		},
	} {
		tests, problems, err := runTests(t.Context(), t, "package rulecheck.modes.loud_test\n\ntest_it if "+test.body+"\n")
		if err != nil || tests != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), test.want) {
			t.Errorf("%s: tests %v, problems %v, error %v; want the problem %s", test.name, tests, problems, err, test.want)
		}
	}
}

func TestRunTestsStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tests, _, err := runTests(ctx, t, ownTests)
	if err == nil || tests != nil {
		t.Errorf("tests %v, error %v; want only an error", tests, err)
	}
}

func TestRunTestsWithoutTests(t *testing.T) {
	t.Parallel()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	if tests, problems, err := policy.RunTests(t.Context(), bundle, nil); tests != nil || problems != nil || err != nil {
		t.Errorf("tests %v, problems %v, error %v; want none of them", tests, problems, err)
	}
}
