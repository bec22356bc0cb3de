package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestPairLosesNothing checks on random facts that the violations of pair name each
// trigger with exactly what it lacks, and that files that lack the same share a violation.
func TestPairLosesNothing(t *testing.T) {
	engine := shipped(t)
	lawtest.Check(t, func(t *rapid.T) {
		exists := rapid.Bool().Draw(t, "require: exists")
		in := policy.Input{Rule: rule.Info{ID: "r", Mode: "pair"}}
		if exists {
			in.Rule.Params = map[string]any{"require": "exists"}
		}
		want := map[string]string{} // by trigger: what it lacks
		for c := range rapid.IntRange(0, 4).Draw(t, "correspondences") {
			var group correspondence.Correspondence
			var missing []string
			for _, place := range []string{"CHANGELOG.md", fmt.Sprintf("docs/%d.md", c)} {
				m := correspondence.Member{Param: "pair.expects", Path: place, Changed: rapid.Bool().Draw(t, "changed"), Exists: rapid.Bool().Draw(t, "exists")}
				if exists && !m.Exists || !exists && !m.Changed {
					missing = append(missing, place)
				}
				group.Members = append(group.Members, m)
			}
			for n := range rapid.IntRange(1, 3).Draw(t, "triggers") {
				m := correspondence.Member{
					Param: "pair.trigger", Path: fmt.Sprintf("src/%d/%d.py", c, n), Changed: true,
					Exists: rapid.Bool().Draw(t, "survives"), Trigger: rapid.Bool().Draw(t, "not excluded"),
				}
				if m.Trigger && (m.Exists || !exists) && len(missing) > 0 {
					want[m.Path] = strings.Join(missing, " ")
				}
				group.Members = append(group.Members, m)
			}
			in.Correspondences = append(in.Correspondences, group)
		}
		violations, err := engine.Decide(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got, lacks := map[string]string{}, []string{}
		for _, v := range violations {
			missing := strings.Join(v.Expected, " ")
			lacks = append(lacks, missing)
			for _, trigger := range v.TriggerFiles {
				got[trigger] += missing
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("triggers lack %v, want %v", got, want)
		}
		if slices.Sort(lacks); len(slices.Compact(slices.Clone(lacks))) != len(lacks) {
			t.Errorf("several violations for the same expected files: %q", lacks)
		}
	})
}
