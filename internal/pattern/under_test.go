package pattern_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestUnderMatchesTheSamePathsBelowADirectory(t *testing.T) {
	directories := rapid.SampledFrom([]string{"a", "packages/web", "!a", `a[1]/{b}`, `*\?`, "é/a-b"})
	lawtest.Check(t, func(t *rapid.T) {
		p, err := pattern.Compile(mixed(text, placeholders, wildcards).Draw(t, "pattern"))
		if err != nil {
			t.Skip("no pattern")
		}
		dir, path := directories.Draw(t, "directory"), drawPath(t, p)
		below, err := p.Under(dir)
		if err != nil {
			t.Fatalf("%q under %q: %v", p, dir, err)
		}
		want, matches := p.Match(path)
		got, ok := below.Match(dir + "/" + path)
		if ok != matches || !cmp.Equal(got, want) {
			t.Fatalf("%q matches %q: %t, %v; want %t, %v as for %q", below, dir+"/"+path, ok, got, matches, want, p)
		}
		if c, ok := below.Match("other/" + path); ok {
			t.Fatalf("%q matches other/%s with %v", below, path, c)
		}
	})
}
