package ahead_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/ahead"
	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestJudgement(t *testing.T) {
	worktree := diff.BaseRequest{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Worktree}}
	index := diff.BaseRequest{ID: diff.MergeBase, Head: diff.Head{Kind: diff.Index}}
	since := diff.BaseRequest{ID: diff.Since, Ref: "main", Head: diff.Head{Kind: diff.Worktree}}
	commit := diff.BaseRequest{ID: diff.Since, Ref: "main", Head: diff.Head{Kind: diff.Commit, Ref: "HEAD"}}
	for args, want := range map[string]diff.BaseRequest{
		"":         worktree,
		"--quiet":  worktree,
		"--staged": index,
		"--staged --format sarif=x --fail-on=note -q": index,
		"--only a --staged --fix":                     index,
		"--since main":                                since,
		"--since=main":                                since,
		"--since main --to HEAD":                      commit,
		"--to=HEAD --since main --no-waivers":         commit,
	} {
		if got, ok := ahead.Judgement(strings.Fields(args), nil); !ok || got != want {
			t.Errorf("%q: %+v, %v; want %+v", args, got, ok, want)
		}
	}
	// What these ask git for is for somebody else to say, or nothing at all.
	for _, args := range []string{
		"version", "rules test", "--help", "-h", "--staged --help", "--git embedded", "--staged --verbose", "-v", "--from v1",
		"--staged=true", "--quiet=false", "--staged extra", "--allow-lazy-fetch", "--message file --staged", "-test.run=X",
	} {
		if got, ok := ahead.Judgement(strings.Fields(args), nil); ok {
			t.Errorf("%q: %+v; want nothing", args, got)
		}
	}
	for _, env := range []string{"GITHUB_ACTIONS=true", "PRE_COMMIT=1"} {
		if _, ok := ahead.Judgement([]string{"--staged"}, []string{"A=b", env}); ok {
			t.Errorf("with %s: something is asked; want nothing", env)
		}
	}
}
