package mine

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// somePath draws paths that have much in common.
func somePath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		dirs := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "src", "a-b"}), 0, 4).Draw(t, "dirs")
		name := rapid.SampledFrom([]string{"login.go", "login_test.go", "LoginView.tsx", "login.view.css", "Makefile", "x_login.go", "a.pb.go", "a.proto"}).Draw(t, "name")
		return strings.Join(append(dirs, name), "/")
	})
}

// TestTemplatesMeanTheirPatterns checks templates with the patterns that they are written as.
func TestTemplatesMeanTheirPatterns(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		a, b, other := somePath().Draw(t, "a"), somePath().Draw(t, "b"), somePath().Draw(t, "other")
		if a == b {
			return
		}
		first := true
		generalize(a, b, func(x, y template) {
			if first && (!x.literal() || x.String() != a || y.String() != b) {
				t.Fatalf("%q, %q: first %q, %q; want the paths themselves", a, b, x, y)
			}
			first = false
			bound, ok := x.match(a)
			if !ok || x.expand(bound) != a || y.expand(bound) != b {
				t.Fatalf("%q, %q: %q binds %v (%v), which makes %q of %q", a, b, x, bound, ok, y.expand(bound), y)
			}
			for _, one := range []template{x, y} {
				sameAsPattern(t, one, a)
				sameAsPattern(t, one, other)
			}
		})
	})
}

// TestKindsMatchTheirFile checks the kinds of a file with the patterns that they are written as.
func TestKindsMatchTheirFile(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		file, other := somePath().Draw(t, "file"), somePath().Draw(t, "other")
		for _, kind := range kinds(file, shapes(file)) {
			if bound, ok := kind.match(file); !ok || kind.expand(bound) != file {
				t.Fatalf("%q binds %v (%v) of %q", kind, bound, ok, file)
			}
			sameAsPattern(t, kind, file)
			sameAsPattern(t, kind, other)
		}
	})
}

func sameAsPattern(t *rapid.T, one template, path string) {
	t.Helper()
	p, err := pattern.Compile(one.String())
	if err != nil {
		t.Fatalf("%q: %v", one, err)
	}
	want, matches := p.Match(path)
	got, ok := one.match(path)
	if ok != matches {
		t.Fatalf("%q matches %q: %v; its pattern: %v", one, path, ok, matches)
	}
	if ok && (got.root != want["root"] || got.path != want["path"] || got.name != want["name"]) {
		t.Fatalf("%q on %q: %v; its pattern: %v", one, path, got, want)
	}
	if ok && one.literals(path, got) != p.LiteralBytes(path) {
		t.Fatalf("%q on %q: %d literal bytes; its pattern: %d", one, path, one.literals(path, got), p.LiteralBytes(path))
	}
}

func TestGeneralize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"src/auth/login.py", "tests/auth/test_login.py", "src/{**path}/{name}.py tests/{**path}/test_{name}.py"},
		{"api/v1/users.proto", "api/v1/users.pb.go", "api/{**root}/{name}.proto api/{**root}/{name}.pb.go"},
		{"modules/a/variables.tf", "modules/a/README.md", "modules/{**root}/variables.tf modules/{**root}/README.md"},
		{"ui/LoginView.tsx", "ui/login.css", ""},
	} {
		var all []string
		generalize(c.a, c.b, func(x, y template) { all = append(all, x.String()+" "+y.String()) })
		if text := strings.Join(all, "\n"); !strings.Contains(text, c.want) {
			t.Errorf("%s, %s: no %q in\n%s", c.a, c.b, c.want, text)
		}
	}
}

func TestLowerBound(t *testing.T) {
	t.Parallel()
	// Wilson's bound of n of n is n / (n + z²).
	for _, c := range []struct {
		held, n  int
		from, to float64
	}{{0, 0, 0, 0}, {16, 16, 0.855, 0.856}, {15, 15, 0.847, 0.848}, {90, 95, 0.895, 0.896}, {0, 5, 0, 0.001}} {
		if got := lowerBound(c.held, c.n); got < c.from || got > c.to {
			t.Errorf("%d of %d: %.4f; want %.3f to %.3f", c.held, c.n, got, c.from, c.to)
		}
	}
}
