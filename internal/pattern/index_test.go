package pattern_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// match is a result of an index.
type match struct {
	I int
	C pattern.Captures
}

// TestIndexMatchesAsEachPattern compares an index with all pairs.
func TestIndexMatchesAsEachPattern(t *testing.T) {
	fixed := []string{
		"README.md", "**/Makefile", "Makefile", "a/**", "a/b/**", "**", "**/*.go", "*.go", "a/{name}.go", "{path}.go", "a/{path}_test.go",
		"{a,b}/**/*.{go,md}", "{a/b,a}/{name}.go", "**/.gitignore", "*o", "a/b/Makefile", "{**}/b/{*}.go", "x.", "*/Makefile", "[ab]/*",
	}
	ends := rapid.SampledFrom([]string{"", ".go", ".md", "_test.go", "/Makefile", "/.gitignore", "x.", ".", "/README.md", "/x.y.go"})
	dirs := rapid.StringMatching(`[ab](/[ab]){0,3}`)
	hits := 0
	lawtest.Check(t, func(t *rapid.T) {
		var patterns []*pattern.Pattern
		for _, source := range append(rapid.SliceOf(globs).Draw(t, "globs"), fixed...) {
			if p, err := pattern.Compile(source); err == nil {
				patterns = append(patterns, p)
			}
		}
		ix := pattern.NewIndex(patterns)
		for _, path := range []string{paths.Draw(t, "path"), dirs.Draw(t, "dir") + ends.Draw(t, "end"), "README.md", "Makefile"} {
			var want, got []match
			for i, p := range patterns {
				if c, ok := p.Match(path); ok {
					want = append(want, match{i, c})
				}
			}
			ix.Match(path, func(i int, c pattern.Captures) { got = append(got, match{i, c}) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("matches of %q (-each pattern +index):\n%s", path, diff)
			}
			hits += len(got)
		}
	})
	if hits == 0 && !testing.Short() {
		t.Error("no hits; want some")
	}
}

func TestIndexYieldsEachPatternOnce(t *testing.T) {
	patterns := []*pattern.Pattern{compile(t, "{a*,*b}.go"), compile(t, "x"), compile(t, "{*b,a*}.{go,*}")}
	var got []match
	pattern.NewIndex(patterns).Match("ab.go", func(i int, c pattern.Captures) { got = append(got, match{i, c}) })
	if diff := cmp.Diff([]match{{I: 0}, {I: 2}}, got); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
}

func TestAnEmptyIndexIsSilent(t *testing.T) {
	for _, path := range []string{"", "a", "a/b"} {
		pattern.NewIndex(nil).Match(path, func(i int, c pattern.Captures) { t.Errorf("%q: yields %d, %v; want nothing", path, i, c) })
	}
}

func TestMatchingAllocatesOnlyCaptures(t *testing.T) {
	sources := []string{"a/b/c.go", "a/**/*.go", "**/b/**", "*/[ab]/?.go", "**/*a*b*/**/*c*.go", "**/*.{go,md}"}
	var patterns []*pattern.Pattern
	for _, source := range sources {
		patterns = append(patterns, compile(t, source))
	}
	ix := pattern.NewIndex(patterns)
	count := 0
	yield := func(int, pattern.Captures) { count++ }
	allocations := testing.AllocsPerRun(100, func() {
		for _, p := range patterns {
			p.Match("a/b/c.go")
			p.Match("a/aab/ab/xcx.go")
			p.Match("nothing/to/see.here")
		}
		ix.Match("a/b/c.go", yield)
	})
	if allocations != 0 || count == 0 {
		t.Errorf("%v allocations, %d matches; want none, some", allocations, count)
	}
}

// tree makes the paths of a repository, sorted, and patterns such as rules over
// it have.
func tree(b *testing.B, pathCount, patternCount int) ([]string, []*pattern.Pattern) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	dir := func(depth int) string {
		d := pick("services", "libs", "apps", "tools")
		for range depth {
			d = strings.Join([]string{d, pick("core", "api", "web", "data", "auth") + strconv.Itoa(random.IntN(12))}, "/")
		}
		return d
	}
	seen := map[string]bool{}
	for len(seen) < pathCount {
		seen[dir(2+random.IntN(4))+fmt.Sprintf("/%s%d%s", pick("main", "user", "index", "test_x"), random.IntN(50),
			pick(".go", "_test.go", ".py", ".ts", ".test.ts", ".md", ".yaml", ".proto"))] = true
	}
	paths := make([]string, 0, pathCount)
	for path := range seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var patterns []*pattern.Pattern
	for range patternCount {
		d := dir(1 + random.IntN(2))
		patterns = append(patterns, compile(b, pick(
			d+"/{path}.go", d+"/{path}_test.go", d+"/{name}/{path}.ts", d+"/**/*.py", d+"/**", d+"/*/README.md", d+"/**/{name}.proto",
			d+"/*/*.{ts,md}", "{path}/"+pick("core1", "api2")+"/{name}.md", "**/test_*.py", "**/"+pick("auth3", "web4")+"/**/*.yaml",
		)))
	}
	return paths, patterns
}

func BenchmarkIndex(b *testing.B) {
	paths, patterns := tree(b, 100_000, 500)
	ix := pattern.NewIndex(patterns)
	hits := 0
	b.ReportAllocs()
	for b.Loop() {
		hits = 0
		for _, path := range paths {
			ix.Match(path, func(int, pattern.Captures) { hits++ })
		}
	}
	b.ReportMetric(float64(hits), "hits/op")
}

func BenchmarkAllPairs(b *testing.B) {
	paths, patterns := tree(b, 1_000, 500)
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range paths {
			for _, p := range patterns {
				p.Match(path)
			}
		}
	}
}
