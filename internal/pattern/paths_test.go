package pattern_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// TestPathsMatchAsEachPath compares a search among indexed paths with trying them all.
func TestPathsMatchAsEachPath(t *testing.T) {
	sources := []string{"**/b/**", "**/b", "a/**", "**/*b*/a", "*/**/a*b", "{a,**/b}/*", "**", "*", "b*", "**/a/*/b", "a/b/a", "?/**/b", "{a/b,b/a}/**"}
	var searched, hits int
	lawtest.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab\-]{1,3}(/[ab\-]{1,3}){0,3}`), 40, 200, rapid.ID).Draw(t, "paths")
		slices.Sort(list)
		paths := pattern.NewPaths(list)
		for range 40 { // so that they are indexed
			for range paths.Match(compile(t, "**/zz/**")) {
				t.Fatal("a path matches that cannot")
			}
		}
		for _, source := range append(rapid.SliceOfN(globs, 1, 10).Draw(t, "globs"), sources...) {
			p, err := pattern.Compile(source)
			if err != nil {
				continue
			}
			var want []int
			for i, path := range list {
				if _, ok := p.Match(path); ok {
					want = append(want, i)
				}
			}
			if diff := cmp.Diff(want, slices.Collect(paths.Match(p))); diff != "" {
				t.Fatalf("matches of %q in %q (-each path +search):\n%s", source, list, diff)
			}
			searched++
			hits += len(want)
		}
	})
	if searched == 0 || hits == 0 {
		t.Errorf("%d searches with %d hits; want some", searched, hits)
	}
}
