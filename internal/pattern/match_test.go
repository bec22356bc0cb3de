package pattern_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

func TestMatch(t *testing.T) {
	type captures = pattern.Captures
	tests := []struct {
		source, path string
		want         captures // nil: no match
	}{
		{"{path}/{name}.py", "a/b/c.py", captures{"path": "a/b", "name": "c"}},
		{"{a}-{b}.txt", "x-y-z.txt", captures{"a": "x-y", "b": "z"}},
		{"src/{path}/index.py", "src/a/b/index.py", captures{"path": "a/b"}},
		{"src/{path}/index.py", "src/index.py", captures{"path": ""}},
		{"src/x{path}.py", "src/x/a.py", nil},
		{"src/x{path}.py", "src/xa/b.py", captures{"path": "a/b"}},
		{"src{path}.py", "src/foo.py", nil},
		{"a{path}b", "aa/bb", captures{"path": "a/b"}},
		{"{path}x", "a/x", nil},
		{"{path}", "a/", nil},
		{"{name}/{path}", "a//b", nil},
		{"{name}/{name}.tsx", "Button/Button.tsx", captures{"name": "Button"}},
		{"{name}/{name}.tsx", "Button/Other.tsx", nil},
		{"{a}{b,c}{a}", "xybxy", captures{"a": "xy"}},
		{"{a}b{a}", "bbbbb", captures{"a": "bb"}},
		{"{path}/-/{path}", "a/b/-/a/b", captures{"path": "a/b"}},
		{"**/{path}_test.go", "a/b/c_test.go", captures{"path": "a/b/c"}},
		{"*{name}*", "abc", captures{"name": "abc"}},
		{"{path}/**", "a/b", captures{"path": "a"}},
		{"{path}/**", "a", captures{"path": ""}},
		{"a/{path}/**", "a", nil},
		{"{name}/**", "a", nil},
		{"{**dir}/x", "x", captures{"dir": ""}},
		{"{**dir}/x", "/x", nil},
		{"{**dir}/x", "yx", nil},
		{"a/{path}/b", "a/b", captures{"path": ""}},
		{"a/{path}/b", "ab", nil},
		{"**/{path}/b", "a/c/b", captures{"path": "a/c"}},
		{"**/{path}/b", "b", captures{"path": ""}},
		{"{path}/{name}.go", "a.go", captures{"path": "", "name": "a"}},
		{"{**a}/{**b}/x", "p/q/x", captures{"a": "p", "b": "q"}},
		{"{**a}/{**b}/x", "p/x", captures{"a": "p", "b": ""}},
		{"{**a}/{**b}/x", "x", captures{"a": "", "b": ""}},
		{"{**a}/b/{**c}/x", "b/y/x", captures{"a": "", "c": "y"}},
		{"{path}/x/{path}/y", "x/y", captures{"path": ""}},
		{"{path}/x/{path}/y", "a/x/y", nil},
		{"{path}/x/{path}", "x/", nil},
		{"{path}/{path}_x", "_x", nil},
		{"a{path}/x", "a/x", nil},
		{"{path|kebab}/X", "X", captures{"path": ""}},
		{"{name}/x", "x", nil},
		{"{*path}/x", "x", nil},
		{"{**}/x/{**}/y", "x/y", captures{"path": ""}},
		{`{path}\/x`, "x", captures{"path": ""}},
		{"{a/,b}{path}/x", "a/x", nil},
		{"{name}/**", "a/b/c", captures{"name": "a"}},
		{"{**}/x/{**}", "a/b/x/c", captures{"path": "a/b"}},
		{"{**}/x/{path}", "a/b/x/c", captures{"path": "c"}},
		{"{*}/{name}", "a/b", captures{"name": "b"}},
		{"{*}-{**}", "a-b/c", captures{"name": "a", "path": "b/c"}},
		{"{*path}/{**}", "a/b/c", captures{"path": "a"}},
		{"{a,b}/{name}", "b/c", captures{"name": "c"}},
		{"{name}.{go,x.go}", "a.x.go", captures{"name": "a.x"}},
		{"{x.go,go}{name}", "x.gogo", captures{"name": "go"}},
		{"{n}?", "日本", captures{"n": "日"}},
		{"{n}[!a]", "a日", captures{"n": "a"}},
		{"{n}?", "a\xff", captures{"n": "a"}},
		{"{n}?", "\xe6\x97", captures{"n": "\xe6"}},
	}
	for _, tt := range tests {
		got, ok := compile(t, tt.source).Match(tt.path)
		if ok != (tt.want != nil) {
			t.Errorf("%q matches %q: %v; want %v", tt.source, tt.path, ok, tt.want != nil)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("captures of %q in %q (-want +got):\n%s", tt.source, tt.path, diff)
		}
	}
}

// Where we differ from doublestar: classes and "/", and bytes that are no UTF-8.
func TestMatchOfCharacters(t *testing.T) {
	tests := []struct {
		source, path string
		want         bool
	}{
		{"a[!b]c", "a/c", false},
		{"a[^b]c", "a/c", false},
		{"a[.-0]c", "a/c", false},
		{"a[/]c", "a/c", false},
		{"a?c", "a/c", false},
		{"?", "\xff", true},
		{"?", "\xe6\x97", false},
		{"??", "\xe6\x97", true},
		{"[!a]", "\xff", true},
		{"[\ufffd]", "\xff", false},
		{"[\ufffd]", "\ufffd", true},
		{"[\xfe-\xff]", "\xff", true},
		{"[\xfe]", "\xff", false},
		{"\xfe", "\xff", false},
		{"\xff", "\xff", true},
		{"*", "\xff\xfe", true},
		{"[é]", "\xc3", false},
	}
	for _, tt := range tests {
		if _, got := compile(t, tt.source).Match(tt.path); got != tt.want {
			t.Errorf("%q matches %q: %v; want %v", tt.source, tt.path, got, tt.want)
		}
	}
}

// These would not end in our lifetime if every way to read the path were tried.
func TestMatchEnds(t *testing.T) {
	a, deep := strings.Repeat("a", 2000), strings.Repeat("x/", 1000)
	tests := []struct{ source, path string }{
		{strings.Repeat("*a", 30) + "*b*", a},
		{strings.Repeat("**/x/", 30) + "y/*", deep + "x"},
		{strings.Repeat("{**}x/", 1) + strings.Repeat("y{**}x/", 20) + "b*", deep + "x"},
		{strings.Repeat("{*}a", 30) + "b{*}", a},
		{strings.Repeat("{*}a*", 20) + "b*{**}", a},
		{strings.Repeat("{**}/**/{*}?*/", 4) + "b?/{**}", deep + "x"},
		{"{**}" + strings.Repeat("/{**}", 5) + "/b*", deep + "x"},
		{"{name}a*a*a{name}b*", strings.Repeat("a", 60)},
		{"*{name}a*{name}a*b*", strings.Repeat("a", 60)},
		{"{x}a{y}a{x}a{y}b*", strings.Repeat("a", 60)},
	}
	for _, tt := range tests {
		if c, ok := compile(t, tt.source).Match(tt.path); ok {
			t.Errorf("%q matches %q: %v; want no match", tt.source, tt.path, c)
		}
	}
}

func TestLiteralBytes(t *testing.T) {
	tests := []struct {
		source, path string
		want         int
	}{
		{"{path}_test.go", "a_test.go", 8},
		{"{path}.go", "a_test.go", 3},
		{"src/**/*.py", "src/a.py", 8},
		{`\*\{é`, "*{é", 4},
		{"{a,bcd}/{name}", "bcd/x", 4},
		{"{a*,abc}", "abc", 1},
		{"{path}/x.go", "a/x.go", 5},
		{"{path}/x.go", "x.go", 4},
		{"[ab]?", "ab", 0},
		{"a", "b", 0},
	}
	for _, tt := range tests {
		if got := compile(t, tt.source).LiteralBytes(tt.path); got != tt.want {
			t.Errorf("literal bytes of %q for %q: %d; want %d", tt.source, tt.path, got, tt.want)
		}
	}
}

func TestPrefix(t *testing.T) {
	for source, want := range map[string]string{
		"src/{path}.py":   "src/",
		"src/**":          "src/",
		"src/{path}/x":    "src/",
		"a/b":             "a/b",
		"a/{bc,bd*}/x":    "a/b",
		"{a,b}/x":         "",
		"**/x":            "",
		`\*a/é[x]`:        "*a/é",
		"a/x{name}/{x,y}": "a/x",
	} {
		if got := compile(t, source).Prefix(); got != want {
			t.Errorf("prefix of %q: %q; want %q", source, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	got := compile(t, "{b}/{**}/{a}/{b}/{*}/{**x}/{*}").Variables()
	want := []pattern.Variable{{Name: "b"}, {Name: "path", Multi: true}, {Name: "a"}, {Name: "name"}, {Name: "x", Multi: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if got := compile(t, "a/*").Variables(); got != nil {
		t.Errorf("variables of a glob: %v; want nil", got)
	}
}
