package policy_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestRememberingAnswersAlike compares an engine that remembers with one that does not.
func TestRememberingAnswersAlike(t *testing.T) {
	t.Parallel()
	plain := shipped(t)
	remembering := plain.Remembering()
	lawtest.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"a.go", "b.go", "b\xff.go", `b\xff.go`, "d/é.md"})
		status := rapid.SampledFrom([]diff.Status{diff.Added, diff.Modified, diff.Deleted})
		var matches []correspondence.Match
		var members []correspondence.Member
		for range rapid.IntRange(0, 2).Draw(t, "files") {
			change := diff.Change{Path: path.Draw(t, "path"), Status: status.Draw(t, "status")}
			matches = append(matches, correspondence.Match{Path: change.Path, Change: change})
			changed := rapid.Bool().Draw(t, "changed")
			members = append(members, correspondence.Member{Param: "set", Path: change.Path, Changed: changed, Trigger: changed, Exists: rapid.Bool().Draw(t, "exists")})
		}
		mode := rapid.SampledFrom([]string{"trigger", "created", "set"}).Draw(t, "mode")
		in := policy.Input{
			Rule:            rule.Info{ID: rapid.SampledFrom([]string{"r", "s"}).Draw(t, "rule"), Mode: mode, Params: map[string]any{"require": rapid.SampledFrom([]string{"changed", "exists"}).Draw(t, "require")}},
			Base:            diff.Base{Commit: strconv.Itoa(rapid.Int().Draw(t, "base"))},
			Matches:         map[string][]correspondence.Match{mode: matches},
			Correspondences: []correspondence.Correspondence{{Members: members}},
		}
		want, wantErr := plain.Decide(t.Context(), in)
		got, gotErr := remembering.Decide(t.Context(), in)
		if d := cmp.Diff(want, got); d != "" || fmt.Sprint(wantErr) != fmt.Sprint(gotErr) {
			t.Fatalf("errors %v and %v; (-plain +remembering):\n%s", wantErr, gotErr, d)
		}
	})
}
