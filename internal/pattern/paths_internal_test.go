package pattern

import (
	"fmt"
	"slices"
	"testing"
)

// TestFewPathsAreTried searches once for each path: trying all would take as many tries as
// there are pairs.
func TestFewPathsAreTried(t *testing.T) {
	const n = 5000
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("docs/part%d/unit%d-%d.md", i%7, i, i%3)
	}
	slices.Sort(list)
	for _, form := range []string{"docs/**/unit%d-?.md", "docs/*/unit%d-*.md", "**/*unit%d-*", "**/docs/**/unit%d-*", "docs/**/{a,unit}%d*.md", "**/unit%d-{?,a}.md"} {
		paths, found := NewPaths(list), 0
		for i := range n {
			p, err := Compile(fmt.Sprintf(form, i))
			if err != nil {
				t.Fatal(err)
			}
			for range paths.Match(p) {
				found++
			}
		}
		if tries := paths.tried.Load(); found < n || tries > 200*n {
			t.Errorf("%s: %d found by trying %d", form, found, tries)
		}
	}
}
