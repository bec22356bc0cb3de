package gittest_test

import (
	"io/fs"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

func TestRepository(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("docs", "the rule\n")
	r.Commit("a rule")
	r.Write("deep/in/file", "not committed\n")

	engine := r.Open()
	head, err := engine.Head(t.Context(), diff.Commit, "main")
	if err != nil {
		t.Fatal(err)
	}
	if len(head.Commit) != 40 {
		t.Errorf("main is %q; want a commit", head.Commit)
	}
	tree, err := engine.Tree(t.Context(), head, ".rulecheck", "deep")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(tree, ".rulecheck/rules/docs.md"); err != nil || string(text) != "the rule\n" {
		t.Errorf("the committed rule is %q, %v", text, err)
	}
	if _, err := fs.Stat(tree, "deep/in/file"); err == nil {
		t.Error("the commit has a file that was written after it")
	}
}
