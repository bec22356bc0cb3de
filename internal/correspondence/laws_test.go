package correspondence_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// some are the patterns a set is drawn from; all bind x within a segment.
var some = []string{"a/{x}", "b/{x}.py", "{x}_test.py", "c/{x}/**", "d/*/{x}", "{x}/e"}

// drawn are paths that those patterns match, and some that they do not.
var drawn = rapid.SampledFrom([]string{
	"a/p", "a/q", "b/p.py", "b/q.py", "p_test.py", "q_test.py", "c/p/1", "c/p/2/3", "c/q/1", "d/1/p", "d/2/q", "p/e", "a/e", "z",
})

func missing(facts correspondence.Facts) []string {
	var places []string
	for _, g := range facts.Correspondences {
		for _, m := range g.Members {
			if !m.Changed {
				places = append(places, m.Path+m.Pattern)
			}
		}
	}
	slices.Sort(places)
	return places
}

func TestASetIsSymmetric(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		patterns := rapid.SliceOfNDistinct(rapid.SampledFrom(some), 2, 4, rapid.ID).Draw(rt, "patterns")
		changes := modified(rapid.SliceOfDistinct(drawn, rapid.ID).Draw(rt, "changed")...)
		reversed := slices.Clone(patterns)
		slices.Reverse(reversed)
		// Equal literal text is settled by order, on purpose.
		forward, backward := setOf(t, patterns, changes), setOf(t, reversed, changes)
		if len(forward.Correspondences) != len(backward.Correspondences) && !tied(patterns) {
			rt.Fatalf("%d correspondences, %d in the other order", len(forward.Correspondences), len(backward.Correspondences))
		}
		if !tied(patterns) && !slices.Equal(missing(forward), missing(backward)) {
			rt.Fatalf("missing %v, in the other order %v", missing(forward), missing(backward))
		}
	})
}

// tied reports whether two of the patterns have as many literal bytes.
func tied(patterns []string) bool {
	seen := map[int]bool{}
	for _, p := range patterns {
		n := len(p)
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}

func TestChangingEveryFilePlaceLeavesNoneBehind(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		patterns := rapid.SliceOfNDistinct(rapid.SampledFrom(some[:3]), 2, 3, rapid.ID).Draw(rt, "patterns")
		paths := rapid.SliceOfDistinct(drawn, rapid.ID).Draw(rt, "changed")
		all := slices.Concat(paths, missing(setOf(t, patterns, modified(paths...))))
		for range 3 { // a file added for one correspondence may open another
			all = slices.Concat(all, missing(setOf(t, patterns, modified(all...))))
			slices.Sort(all)
			all = slices.Compact(all)
		}
		if left := missing(setOf(t, patterns, modified(all...))); len(left) > 0 {
			rt.Fatalf("still missing %v", left)
		}
	})
}

func setOf(t *testing.T, patterns []string, changes []diff.Change) correspondence.Facts {
	t.Helper()
	r, modes := load(t, "set: ['"+strings.Join(patterns, "', '")+"']")
	return correspondence.Establish([]*rule.Rule{r}, modes, changes, nil)[0]
}
