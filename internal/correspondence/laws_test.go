package correspondence_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
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
	lawtest.Check(t, func(rt *rapid.T) {
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
	lawtest.Check(t, func(rt *rapid.T) {
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

// TestWithoutIsExclude compares facts without some names with those of a rule that excludes
// them.
func TestWithoutIsExclude(t *testing.T) {
	lawtest.Check(t, func(rt *rapid.T) {
		mode := rapid.SampledFrom([]string{
			"trigger: ['{x}.a', 'd/**']", "set: ['{x}.a', '{x}.b']", "set: ['d/{x}*', '{x}.a']", "pair: {trigger: '{x}.a', expects: ['{x}.b', 'd/*{x}*']}",
		}).Draw(rt, "mode")
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`(d/)?[pq]{1,2}(\.[ab])?`), 1, 12, rapid.ID).Draw(rt, "names")
		slices.Sort(names)
		without := map[string]bool{}
		excluded := []string{}
		for _, name := range names {
			if rapid.Bool().Draw(rt, name) {
				without[name] = true
				excluded = append(excluded, name)
			}
		}
		r, modes := load(t, mode)
		got := correspondence.Establish([]*rule.Rule{r}, modes, modified(names...), nil)[0].Without(without, modes.Of(r.Mode))
		if len(excluded) > 0 {
			r, _ = load(t, mode+"\nexclude: ['"+strings.Join(excluded, "', '")+"']")
		}
		want := correspondence.Establish([]*rule.Rule{r}, modes, modified(names...), nil)[0]
		for _, f := range []correspondence.Facts{got, want} {
			maps.DeleteFunc(f.Matches, func(_ string, list []correspondence.Match) bool { return len(list) == 0 })
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			rt.Fatalf("-exclude +Without:\n%s", d)
		}
	})
}

func setOf(t *testing.T, patterns []string, changes []diff.Change) correspondence.Facts {
	t.Helper()
	r, modes := load(t, "set: ['"+strings.Join(patterns, "', '")+"']")
	return correspondence.Establish([]*rule.Rule{r}, modes, changes, nil)[0]
}

// TestPlacesAreSatisfiedByWhatMatches compares the files of each place that has wildcards
// with those that its pattern matches, tried one by one.
func TestPlacesAreSatisfiedByWhatMatches(t *testing.T) {
	compared := 0
	lawtest.Check(t, func(rt *rapid.T) {
		expects := rapid.SampledFrom([]string{"b/**/{x}", "**/{x}_*/**", "{a,b}/*{x}*", "b/*-{x}.py", "**/?{x}/*", "b/{x}*/**"}).Draw(rt, "expects")
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`a/[pq_]{1,5}|[ab](/[pq_\-]{1,3}){1,3}(\.py)?`), 50, 150, rapid.ID).Draw(rt, "names")
		slices.Sort(names)
		r, modes := load(t, "pair: {trigger: 'a/{x}', expects: '"+expects+"'}\nrequire: exists")
		head := slices.DeleteFunc(slices.Clone(names), func(string) bool { return rapid.Bool().Draw(rt, "absent") })
		changed := names[:rapid.IntRange(0, len(names)).Draw(rt, "changed")]
		p, err := pattern.Compile(expects)
		if err != nil {
			rt.Fatal(err)
		}
		for _, g := range correspondence.Establish([]*rule.Rule{r}, modes, modified(changed...), head)[0].Correspondences {
			bound := p.Bind(g.Captures)
			matching := func(list []string) []string {
				return slices.DeleteFunc(slices.Clone(list), func(name string) bool { _, ok := bound.Match(name); return !ok })
			}
			for _, m := range g.Members {
				if m.Pattern == "" || m.Path != "" {
					continue
				}
				compared++
				if want := matching(changed); !slices.Equal(m.SatisfiedBy, want) || m.Exists != (len(want)+len(matching(head)) > 0) {
					rt.Fatalf("%s in %q, at head %q: got %+v; want %q", bound, changed, head, m, want)
				}
			}
		}
	})
	if compared == 0 {
		t.Error("no place was compared")
	}
}
