package pattern_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// drawMatch draws a legal pattern of some pieces, and a path that it matches.
// It is not ok when the draw is neither.
func drawMatch(t *rapid.T, pieces ...*rapid.Generator[string]) (p *pattern.Pattern, path string, c pattern.Captures, ok bool) {
	p, err := pattern.Compile(mixed(pieces...).Draw(t, "pattern"))
	if err != nil {
		return nil, "", nil, false
	}
	path = drawPath(t, p)
	c, ok = p.Match(path)
	return p, path, c, ok
}

// drawPath draws a path, or fills in the pattern, which it then most often
// matches.
func drawPath(t *rapid.T, p *pattern.Pattern) string {
	if rapid.Bool().Draw(t, "any") {
		return shortPaths.Draw(t, "path")
	}
	value := func(expression string) string { return rapid.StringMatching(expression).Draw(t, "value") }
	c := pattern.Captures{}
	for _, v := range p.Variables() {
		c[v.Name] = value(map[bool]string{true: `([ab](/?[ab]){0,3})?`, false: `[ab\-]{1,3}`}[v.Multi])
	}
	return placeholder.ReplaceAllStringFunc(p.Expand(c), func(s string) string {
		switch s {
		case "*":
			return value(`[ab]{0,2}`)
		case "/**/":
			return value(`/([ab]/){0,2}`)
		case "?", "[ab]", "[!a]":
			return value(`[ab]`)
		case "{**}", "{*}", "{a,ab}":
			return value(`[ab]{1,2}`)
		}
		return s
	})
}

func TestExpandUndoesMatch(t *testing.T) {
	named := rapid.SampledFrom([]string{"{path}", "{name}", "{x}", "{**y}", "{*z}"})
	laws(t, func(t *rapid.T) bool {
		p, path, c, ok := drawMatch(t, text, named)
		if ok && p.Expand(c) != path {
			t.Fatalf("%q expands with its match %v of %q to %q", p, c, path, p.Expand(c))
		}
		return ok
	})
}

func TestBoundPatternsMatchTheSamePath(t *testing.T) {
	laws(t, func(t *rapid.T) bool {
		p, path, c, ok := drawMatch(t, text, placeholders, wildcards)
		if !ok {
			return false
		}
		bound := p.Bind(c)
		if _, ok := bound.Match(path); !ok {
			t.Fatalf("%q bound to %v is %q and does not match %q", p, c, bound, path)
		}
		if v := bound.Variables(); v != nil {
			t.Fatalf("%q bound to %v still has %v", p, c, v)
		}
		if again, err := pattern.Compile(bound.String()); err != nil {
			t.Fatalf("%q bound to %v is %q: %v", p, c, bound, err)
		} else if _, ok := again.Match(path); !ok {
			t.Fatalf("%q compiled again does not match %q", bound, path)
		}
		return true
	})
}

// A back reference holds just when filling in some part of the path for each
// repeated name makes a match.
func TestBackReferences(t *testing.T) {
	repeated := rapid.SampledFrom([]string{"{x}", "{path}"})
	pieces := mixed(text, repeated, wildcards)
	matches := 0
	lawtest.Check(t, func(t *rapid.T) {
		again := repeated.Draw(t, "again")
		p, err := pattern.Compile(again + pieces.Draw(t, "between") + again + rapid.OneOf(rapid.Just(""), pieces).Draw(t, "end"))
		if err != nil {
			return
		}
		path := drawPath(t, p)
		if len(path) > 12 {
			return
		}
		_, got := p.Match(path)
		candidates := []*pattern.Pattern{p}
		for _, v := range p.Variables() {
			if strings.Count(p.String(), "{"+v.Name+"}") == 1 {
				continue
			}
			var longer []*pattern.Pattern
			if empty := (pattern.Captures{v.Name: ""}); p.Takes(empty) {
				for _, c := range candidates {
					longer = append(longer, c.Bind(empty))
				}
			}
			for from := range path {
				for to := from + 1; to <= len(path); to++ {
					value := path[from:to]
					if _, ok := compile(t, map[bool]string{true: "{path}", false: "{name}"}[v.Multi]).Match(value); !ok {
						continue
					}
					for _, c := range candidates {
						longer = append(longer, c.Bind(pattern.Captures{v.Name: value}))
					}
				}
			}
			candidates = longer
		}
		want := false
		for _, c := range candidates {
			_, ok := c.Match(path)
			want = want || ok
		}
		if got != want {
			t.Fatalf("%q matches %q: %v; filled in: %v", p, path, got, want)
		}
		if got {
			matches++
		}
	})
	if matches == 0 && !testing.Short() {
		t.Error("no back reference matched; want some")
	}
}

func TestMatchesBeginWithThePrefix(t *testing.T) {
	laws(t, func(t *rapid.T) bool {
		p, path, _, ok := drawMatch(t, text, placeholders, wildcards, rapid.Just("{a,ab}"))
		if ok && !strings.HasPrefix(path, p.Prefix()) {
			t.Fatalf("%q matches %q, which does not begin with %q", p, path, p.Prefix())
		}
		return ok
	})
}

// laws checks a property, which reports whether it was put to the test.
func laws(t *testing.T, property func(t *rapid.T) bool) {
	t.Helper()
	tested := 0
	lawtest.Check(t, func(t *rapid.T) {
		if property(t) {
			tested++
		}
	})
	if tested == 0 && !testing.Short() {
		t.Error("nothing drawn that puts the law to the test")
	}
}

func TestBind(t *testing.T) {
	c := pattern.Captures{"path": "a/b", "name": "*{x}[", "bang": "!a", "up": "..", "slash": `\`}
	tests := []struct{ source, want, matches string }{
		{"tests/{path}_test.py", "tests/a/b_test.py", "tests/a/b_test.py"},
		{"{name}/**/{path}", `\*\{x\}\[/**/a/b`, "*{x}[/z/a/b"},
		{"{bang}/x{bang}", `\!a/x!a`, "!a/x!a"},
		{"docs/{up}.md", "docs/...md", "docs/...md"},
		{"{up}/a", "../a", "../a"},
		{"{slash}", `\\`, `\`},
		{"{path}/**", "a/b/**", "a/b/c"},
		{"{*name}-{*other}.{go,md}", `\*\{x\}\[-{*other}.{go,md}`, "*{x}[-z.md"},
		{"{**}/{**}/{**}", "a/b/{**}/{**}", "a/b/c/d"},
	}
	for _, tt := range tests {
		p := compile(t, tt.source)
		got := p.Bind(c)
		if got.String() != tt.want {
			t.Errorf("%q bound: %q; want %q", tt.source, got, tt.want)
		}
		if _, ok := got.Match(tt.matches); !ok {
			t.Errorf("%q bound does not match %q; want a match", tt.source, tt.matches)
		}
		if p.String() != tt.source {
			t.Errorf("%q is %q after Bind; want no change", tt.source, p)
		}
	}
	want := []pattern.Variable{{Name: "path", Multi: true}}
	if diff := cmp.Diff(want, compile(t, "{**}/x/{**x}").Bind(pattern.Captures{"x": "a"}).Variables()); diff != "" {
		t.Errorf("variables after Bind (-want +got):\n%s", diff)
	}
}

func TestExpandAndLiteral(t *testing.T) {
	c := pattern.Captures{"path": "a/b", "x": "*"}
	tests := []struct {
		source, want string
		literal      bool
	}{
		{"tests/{path}_test.py", "tests/a/b_test.py", false},
		{"{**}/{x}/{*}", "a/b/*/{*}", false},
		{"{path}/**/{**}", "a/b/**/{**}", false},
		{`\*/{path}/*`, `\*/a/b/*`, false},
		{`\*/{path}`, "*/a/b", false},
		{`a/\*`, "a/*", true},
		{"{a,b}/{x}", "{a,b}/*", false},
		{"README.md", "README.md", true},
		{"a?", "a?", false},
		{"[a]", "[a]", false},
	}
	for _, tt := range tests {
		p := compile(t, tt.source)
		if got := p.Expand(c); got != tt.want {
			t.Errorf("%q expands to %q; want %q", tt.source, got, tt.want)
		}
		path, ok := p.Path(nil)
		if ok != tt.literal {
			t.Errorf("%q is literal: %v; want %v", tt.source, ok, tt.literal)
		}
		if ok && path != tt.want {
			t.Errorf("%q is the path %q; want %q", tt.source, path, tt.want)
		}
	}
}
