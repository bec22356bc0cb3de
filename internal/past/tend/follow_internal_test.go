package tend

import (
	"slices"
	"testing"
)

// TestSuccessors names the pattern that matches the new names of files, if there is one.
func TestSuccessors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern string
		moves   [][2]string
		want    string // empty if none follows
	}{
		{"b.txt", [][2]string{{"b.txt", "c[1].txt"}}, `c\[1\].txt`},
		{"docs/{n}.md", [][2]string{{"docs/a.md", "manual/a.md"}, {"docs/b.md", "manual/b.md"}}, "manual/{n}.md"},
		{"docs/{n}.md", [][2]string{{"docs/a.md", "a.md"}}, "{n}.md"},
		{"{n}.md", [][2]string{{"a.md", "docs/a.md"}}, "docs/{n}.md"},
		{"docs/{n}.md", [][2]string{{"docs/a.md", "docs/v2/a.md"}}, "docs/v2/{n}.md"},
		{"x/{n}/old/*.go", [][2]string{{"x/a/old/f.go", "x/a/new/f.go"}, {"x/b/old/g.go", "x/b/new/g.go"}}, "x/{n}/new/*.go"},
		{"ci/**/*.yml", [][2]string{{"ci/a.yml", "ci/a.yaml"}, {"ci/b/c.yml", "ci/b/c.yaml"}}, "ci/**/*.yaml"},
		{"docs/{n}.md", [][2]string{{"docs/a.md", "x/a.md"}, {"docs/b.md", "y/b.md"}}, ""},
		{"docs/{n}.md", [][2]string{{"docs/a.md", "docs/b.txt"}}, ""},
		{"{docs,doc}/*.md", [][2]string{{"docs/a.md", "manual/a.md"}}, ""},
	} {
		got := successors(c.pattern, c.moves)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s after %q: %q; want %q", c.pattern, c.moves, got, c.want)
		}
	}
}
