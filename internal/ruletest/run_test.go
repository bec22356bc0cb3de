package ruletest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func testRules(t *testing.T, repo *gittest.Repository, ids ...string) *ruletest.Outcome {
	t.Helper()
	tested, err := ruletest.Run(t.Context(), repo.Open(), ids, "")
	if err != nil {
		t.Fatal(err)
	}
	return tested
}

func TestRun(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Rule("bare", "---\ntrigger: a\n---\nLook.\n")
	repo.Rule("off", "---\ncreated: \"*.go\"\nenabled: false\n---\nLook.\n\n```rulecheck\nA a.go\nA b.go\nM c.go\n--\na.go\nc.go\n```\n")
	repo.Rule("command", "---\ntrigger: a\naction: {command: \"false\"}\n---\n\n```rulecheck\nM a\n--\na\n```\n\n```rulecheck\nM b\n--\nsilent\n```\n")
	repo.Rule("broken", "---\ntrigger: a\n---\nLook.\n\n```rulecheck\nM a\n```\n")

	got := testRules(t, repo)
	want := []ruletest.Failure{{
		File: ".rulecheck/rules/off.md", Line: 7, Column: 1,
		Message: "the example does not hold (- wanted, + found)", Details: []string{"- c.go", "+ b.go"},
	}}
	if diff := cmp.Diff(want, got.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if got.Rules != 2 || got.Examples != 3 || !cmp.Equal(got.Without, []string{"bare"}) {
		t.Errorf("%d rules with %d examples, and without: %v", got.Rules, got.Examples, got.Without)
	}
	if len(got.Project.Problems) != 1 || got.Project.Problems[0].File != ".rulecheck/rules/broken.md" {
		t.Errorf("problems %v; want that of the broken rule", got.Project.Problems)
	}

	if one := testRules(t, repo, "command"); one.Rules != 1 || one.Examples != 2 || one.Failures != nil || one.Without != nil {
		t.Errorf("by id: %+v", one)
	}
	_, err := ruletest.Run(t.Context(), repo.Open(), []string{"comand"}, "")
	if !errors.As(err, new(*setup.SelectionError)) || !strings.Contains(err.Error(), `did you mean "command"?`) {
		t.Errorf("error %v; want a suggestion", err)
	}
}

const loudMode = `# METADATA
# title: Files that are loud
# description: A file is loud if a line of it is.
# custom:
#   params: {loud: patterns}
#   facts: [matches, added_lines]
package rulecheck.modes.loud

violations contains violation if {
	some match in input.matches.loud
	some line in match.change.added_lines
	line.text == upper(line.text)
	violation := {"path": match.path, "line": line.line}
}
`

func TestRunTestsPolicies(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write(".rulecheck/policies/loud.rego", loudMode)
	repo.Write(".rulecheck/policies/deep/loud_test.rego", `package rulecheck.modes.loud_test

import data.rulecheck.modes.loud as mode

test_is_silent if mode.violations == set() with input as {"matches": {"loud": []}}

test_is_loud if {
	print("one\ntwo")
	mode.violations != set() with input as {"matches": {"loud": []}}
}

todo_test_more if false
`)
	got := testRules(t, repo)
	want := []ruletest.Failure{{
		File: ".rulecheck/policies/deep/loud_test.rego", Line: 7, Column: 1,
		Message: "rulecheck.modes.loud_test.test_is_loud: the test fails", Details: []string{"one", "two"},
	}}
	if diff := cmp.Diff(want, got.Failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if got.Tests != 3 || got.Skipped != 1 || got.Project.Problems != nil {
		t.Errorf("%d tests, %d skipped, problems %v", got.Tests, got.Skipped, got.Project.Problems)
	}

	repo.Write(".rulecheck/policies/bad_test.rego", "package rulecheck.modes.loud_test\n\ntest_it if nothing.here\n")
	got = testRules(t, repo)
	if len(got.Project.Problems) != 1 || got.Project.Problems[0].Line != 3 || got.Tests != 0 {
		t.Errorf("%d tests, problems %v; want one of line 3", got.Tests, got.Project.Problems)
	}
	repo.Write(".rulecheck/policies/bad_test.rego", "package stray\n")
	got = testRules(t, repo)
	if len(got.Project.Problems) != 1 || got.Project.Problems[0].Line != 1 || got.Tests != 3 {
		t.Errorf("%d tests, problems %v; want one of line 1", got.Tests, got.Project.Problems)
	}
}

// A rule of a mode of the project's own sees the lines of its examples.
func TestRunExamplesOfProjectMode(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write(".rulecheck/policies/loud.rego", loudMode)
	repo.Rule("loud", "---\nloud: \"*.txt\"\n---\nNot so loud.\n\n```rulecheck\nM a.txt\n+ quiet\n+ LOUD\n- ALREADY\n--\na.txt:2\n```\n\n```rulecheck\nM a.txt\n+ LOUD\n--\na.txt:2\n```\n")
	got := testRules(t, repo)
	want := []ruletest.Failure{{
		File: ".rulecheck/rules/loud.md", Line: 15, Column: 1,
		Message: "the example does not hold (- wanted, + found)", Details: []string{"- a.txt:2", "+ a.txt:1"},
	}}
	if diff := cmp.Diff(want, got.Failures); diff != "" || got.Project.Problems != nil {
		t.Errorf("problems %v, failures (-want +got):\n%s", got.Project.Problems, diff)
	}
}

func TestRunStops(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Rule("a", "---\ntrigger: a\n---\nLook.\n\n```rulecheck\nM a\n--\na\n```\n")
	open := repo.Open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if tested, err := ruletest.Run(ctx, open, nil, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, error %v; want that it was stopped", tested, err)
	}
}

func TestWriteSchemas(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write(".rulecheck/schema/rule.json", "an old one")
	schemas, err := ruletest.Schemas(t.Context(), repo.Open())
	if err != nil {
		t.Fatal(err)
	}
	written, err := schemas.Write(repo.Open())
	if diff := cmp.Diff([]string{".rulecheck/schema/config.json", ".rulecheck/schema/rule.json", ".rulecheck/schema/workflow.json"}, written); diff != "" || err != nil {
		t.Fatalf("error %v, written (-want +got):\n%s", err, diff)
	}
	text, err := os.ReadFile(filepath.Join(repo.Dir, ".rulecheck/schema/rule.json"))
	if err != nil || string(text) != string(schemas["rule"]) {
		t.Errorf("error %v, written: %s", err, text)
	}

	// If a file cannot be written, the files written so far are returned.
	repo.Write(".rulecheck/schema/.rule.json.new/in-the-way", "")
	written, err = schemas.Write(repo.Open())
	if err == nil || !cmp.Equal(written, []string{".rulecheck/schema/config.json"}) {
		t.Errorf("written %v, error %v; want only the first", written, err)
	}
}
