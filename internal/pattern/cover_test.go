package pattern_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p, other string
		want     bool
	}{
		{"src/*.py", "src/*.py", true},
		{"src/**", "src/*.py", true},
		{"src/**", "src/{path}.py", true},
		{"src/**/*", "src/a/{x}", true},
		{"**", "{path}", true},
		{"**/*.md", "docs/**/*.md", true},
		{"docs/**/*.md", "docs/{name}.md", true},
		{"**/*.py", "src/{a,b}.py", true},
		{"{a,b}.json", "a.json", true},
		{"package.json", "package.json#/version", true},
		{`a\*/**`, `a\*/b*`, true},
		{"src/**", "srcs/*.py", false},
		{"src/**", "**/*.py", false},
		{"src/**", "{src,lib}/*.py", false},
		{"src/*", "src/**", false},
		{"**/*.py", "src/{a.py,b}", false},
		{"docs/**/*.md", "docs/**", false},
		{"**/{x}.py", "a/{x}.py", false}, // it does, but that is not known
		{"a/**/*/b", "a/c/{x}/b", false},
	} {
		if got := compileKey(t, c.p).Covers(compileKey(t, c.other)); got != c.want {
			t.Errorf("%s covers %s: %v; want %v", c.p, c.other, got, c.want)
		}
	}
}

func compileKey(t *testing.T, source string) *pattern.Pattern {
	t.Helper()
	p, err := pattern.CompilePart(source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCoversIsTrue: what one pattern covers, it matches.
func TestCoversIsTrue(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"a", "b", ".c", "*", "*.a", "**", "{x}", "{path}", "{a,b}", "a.b", "?"})
	draw := rapid.Custom(func(t *rapid.T) string {
		var source strings.Builder
		source.WriteString(part.Draw(t, "part"))
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			source.WriteString(rapid.SampledFrom([]string{"/", "/", ""}).Draw(t, "between") + part.Draw(t, "part"))
		}
		return source.String()
	})
	name := rapid.SampledFrom([]string{"a", "b", ".c", "x.a", "a.b", "ab", "aa.b"})
	covered := 0
	lawtest.Check(t, func(t *rapid.T) {
		p, err := pattern.Compile(draw.Draw(t, "p"))
		other, wrong := pattern.Compile(draw.Draw(t, "other"))
		if err != nil || wrong != nil || !p.Covers(other) {
			return
		}
		for range 20 {
			var drawn strings.Builder
			drawn.WriteString(name.Draw(t, "name"))
			for range rapid.IntRange(0, 3).Draw(t, "depth") {
				drawn.WriteString("/" + name.Draw(t, "name"))
			}
			path := drawn.String()
			if _, ok := other.Match(path); !ok {
				continue
			}
			covered++
			if _, ok := p.Match(path); !ok {
				t.Fatalf("%s covers %s, but does not match %s", p, other, path)
			}
		}
	})
	t.Logf("%d paths", covered)
}
