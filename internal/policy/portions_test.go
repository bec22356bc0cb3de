package policy_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestPortionsAnswerAlike compares what modes that decide each correspondence for itself find in
// all of them and in portions.
func TestPortionsAnswerAlike(t *testing.T) {
	t.Parallel()
	whole, b := shipped(t), load(t)
	var modes []string
	for _, name := range b.Modes.Names() {
		if b.Modes.Of(name).Separate {
			modes = append(modes, name)
		}
	}
	if len(modes) == 0 {
		t.Fatal("no mode decides each correspondence for itself; want some, or no portions")
	}
	found := 0
	lawtest.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom(modes).Draw(t, "mode")
		in := policy.Input{Rule: rule.Info{ID: "r", Mode: mode, Params: map[string]any{
			"require": rapid.SampledFrom([]string{"changed", "exists", "changed_if_exists"}).Draw(t, "require"),
			mode:      []any{rapid.SampledFrom([]string{"a/{x}", "a/{x}#api"}).Draw(t, "pattern")},
		}}}
		for range rapid.IntRange(1, 8).Draw(t, "correspondences") {
			var c correspondence.Correspondence
			for range rapid.IntRange(1, 3).Draw(t, "members") {
				changed := rapid.Bool().Draw(t, "changed")
				c.Members = append(c.Members, correspondence.Member{
					Param: mode, Path: rapid.SampledFrom([]string{"a.go", "b.go", "c.go", "d.go"}).Draw(t, "path"), Changed: changed, Trigger: changed,
					Exists: rapid.Bool().Draw(t, "exists"), Line: rapid.IntRange(0, 2).Draw(t, "line"), Column: 1,
				})
			}
			in.Correspondences = append(in.Correspondences, c)
		}
		if rapid.IntRange(0, 4).Draw(t, "safe") == 0 {
			in.Matches = map[string][]correspondence.Match{"safety": {{Path: "s"}}}
		}
		want, err := whole.Decide(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := whole.InPortionsOf(rapid.IntRange(1, 3).Draw(t, "portion")).Decide(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(texts(want), texts(got)); d != "" {
			t.Fatalf("(-whole +portions):\n%s", d)
		}
		found += len(want)
	})
	if found == 0 {
		t.Error("no violations; want some")
	}
}

// texts writes violations, sorted.
func texts(violations []policy.Violation) []string {
	var list []string
	for _, v := range violations {
		list = append(list, fmt.Sprintf("%+v", v))
	}
	slices.Sort(list)
	return list
}
