package ruletest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// TestPackCalls runs the examples of the pack for agents, as a project that copied its
// rules would.
func TestPackCalls(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../rule/packs/agents/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	repo := gittest.New(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		repo.Rule(strings.TrimSuffix(filepath.Base(file), ".md"), string(text))
	}
	repo.Rule("wrong", "---\ntool: {command_pattern: ^ls, effect: deny}\n---\nx\n\n```rulecheck\n$ ls\n--\nallow\n```\n")
	o := testRules(t, repo)
	for _, p := range o.Project.Problems {
		t.Error(p)
	}
	if o.Rules != len(files)+1 || len(o.Failures) != 1 || strings.Join(o.Failures[0].Details, "\n") != "- allow: $ ls\n+ deny" {
		t.Errorf("%d rules, failures %v; want %d and the wrong example", o.Rules, o.Failures, len(files)+1)
	}
}
