package policy_test

import (
	"cmp"
	"os"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// TestBuiltPoliciesMentionWhatTheyRead compares the program's own policies, which
// see no more than they mention, with the same ones when they see everything.
func TestBuiltPoliciesMentionWhatTheyRead(t *testing.T) {
	bundle, err := policies.Parse(os.DirFS("../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := policy.New(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	built := shipped(t)
	for _, mode := range []string{"created", "pair", "set", "trigger"} {
		fired := false
		rapid.Check(t, func(t *rapid.T) {
			in := randomInput(t, mode)
			want, err := whole.Decide(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := built.Decide(t.Context(), in)
			if d := gocmp.Diff(want, got); err != nil || d != "" {
				t.Fatalf("%s: error %v, violations (-whole +built):\n%s", mode, err, d)
			}
			fired = fired || len(got) > 0
		})
		if !fired {
			t.Errorf("no rule of mode %s ever fired", mode)
		}
	}
}

// randomInput is a rule of a mode and facts of few names, so that they meet.
func randomInput(t *rapid.T, mode string) policy.Input {
	name := rapid.SampledFrom([]string{"a", "b", "c"})
	maybe := func(of *rapid.Generator[string]) *rapid.Generator[string] { return rapid.OneOf(rapid.Just(""), of) }
	captures := rapid.MapOf(name, name)
	match := rapid.Custom(func(t *rapid.T) correspondence.Match {
		path := name.Draw(t, "path")
		status := rapid.SampledFrom([]diff.Status{diff.Added, diff.Modified, diff.Deleted, diff.Renamed}).Draw(t, "status")
		return correspondence.Match{
			Path: path, Captures: pattern.Captures(captures.Draw(t, "captures")),
			Change: diff.Change{Path: path, OldPath: maybe(name).Draw(t, "old path"), Status: status},
		}
	})
	member := rapid.Custom(func(t *rapid.T) correspondence.Member {
		path, wildcard := maybe(name).Draw(t, "path"), maybe(name).Draw(t, "pattern")
		return correspondence.Member{
			Param: rapid.SampledFrom([]string{"set", "pair.trigger", "pair.expects"}).Draw(t, "param"),
			Path:  cmp.Or(path, wildcard, "d"), Pattern: wildcard,
			Changed: rapid.Bool().Draw(t, "changed"), Exists: rapid.Bool().Draw(t, "exists"), Trigger: rapid.Bool().Draw(t, "trigger"),
			SatisfiedBy: rapid.SliceOfN(name, 0, 2).Draw(t, "satisfied by"),
		}
	})
	params := map[string]any{}
	if rapid.Bool().Draw(t, "exists is enough") {
		params["require"] = "exists"
	}
	in := policy.Input{
		Rule:    rule.Info{ID: "r", Mode: mode, Params: params},
		Matches: map[string][]correspondence.Match{mode: rapid.SliceOfN(match, 0, 3).Draw(t, "matches")},
		Correspondences: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) correspondence.Correspondence {
			return correspondence.Correspondence{
				Captures: pattern.Captures(captures.Draw(t, "captures")), Members: rapid.SliceOfN(member, 1, 4).Draw(t, "members"),
			}
		}), 0, 3).Draw(t, "correspondences"),
	}
	if rapid.IntRange(0, 5).Draw(t, "safe if 0") == 0 {
		in.Matches["safety"] = []correspondence.Match{match.Draw(t, "safe")}
	}
	return in
}
