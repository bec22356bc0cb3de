package pattern_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

var seeds = []struct{ source, path string }{
	{"src/{path}.py", "src/a/b.py"},
	{"{name}/{name}.tsx", "B/B.tsx"},
	{"{**}/x/{**}", "a/b/x/c"},
	{"a/**", "a"},
	{"{**a}/x/{**b|kebab}/{*}", "x/y"},
	{"{path}/!a", "!a"},
	{"a/{**}/{**}/**", "a/b"},
	{"a*/**", "a"},
	{"**/*.{go,md}", "x/y.md"},
	{"{a/**,**}/b", "a/b"},
	{`\*[!a-\]]?`, "*é日"},
	{"*a*a*a*a*b", "aaaaaaaaaaaa"},
	{"**/x/**/x/**/x", "x/x/x/y"},
	{"{a}-{b}-{a}", "x-y-x"},
	{"{x}/{x|kebab}.css", "UserCard/user-card.css"},
	{"*{x|snake}*{**y|upper}", "a_b/C"},
	{"a//b", ""},
	{"{", "{"},
	{"!a", "a"},
	{"**.py", ""},
	{"{x}?[\xff]", "a\xfe\xff"},
	{"{a}{b}", ""},
	{"[", ""},
	{`\`, ""},
}

func FuzzCompile(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := pattern.Compile(source)
		if err != nil {
			var e *pattern.Error
			if !errors.As(err, &e) {
				t.Fatalf("Compile(%q): %T; want an *Error", source, err)
			}
			if e.Source != source || e.Offset < 0 || e.Offset > len(source) || e.Code == "" || e.Message == "" {
				t.Fatalf("Compile(%q): %#v", source, e)
			}
			return
		}
		if p.String() != source {
			t.Fatalf("Compile(%q) is %q", source, p)
		}
		if !utf8.ValidString(source) {
			return
		}
		if path, ok := p.Path(nil); ok {
			if _, matches := p.Match(path); !matches || p.LiteralBytes(path) != len(path) || p.Prefix() != path {
				t.Fatalf("%q is the path %q: matches %v, %d literal bytes, prefix %q", p, path, matches, p.LiteralBytes(path), p.Prefix())
			}
		}
		if again := compile(t, p.Bind(nil).String()); again.String() != source {
			t.Fatalf("%q bound to nothing is %q", p, again)
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.source, s.path)
	}
	f.Fuzz(func(t *testing.T, source, path string) {
		p, err := pattern.Compile(source)
		if err != nil {
			return
		}
		c, ok := p.Match(path)
		if ok != (len(c) == len(p.Variables()) && len(c) > 0) && len(p.Variables()) > 0 {
			t.Fatalf("%q matches %q: %v, %v; want every variable bound", p, path, c, ok)
		}
		for _, v := range p.Variables() {
			value := c[v.Name]
			if !ok {
				continue
			}
			if value == "" {
				if !v.Multi || !strings.Contains(source, "}/") && !strings.Contains(source, `}\/`) {
					t.Fatalf("%q captures nothing as %s of %q", p, v.Name, path)
				}
				continue
			}
			if value[0] == '/' || value[len(value)-1] == '/' || !v.Multi && strings.Contains(value, "/") {
				t.Fatalf("%q captures %q as %s of %q", p, value, v.Name, path)
			}
		}
		hits := 0
		pattern.NewIndex([]*pattern.Pattern{p}).Match(path, func(int, pattern.Captures) { hits++ })
		if hits != 0 != ok {
			t.Fatalf("%q matches %q: %v; an index yields %d", p, path, ok, hits)
		}
		if !utf8.ValidString(source) || !utf8.ValidString(path) {
			return
		}
		if _, bound := p.Bind(c).Match(path); ok && !bound {
			t.Fatalf("%q bound to %v does not match %q", p, c, path)
		}
		if like(source) && path != "" && !strings.HasSuffix(path, "/") {
			if want, err := doublestar.Match(asDoublestar(source), path); err != nil || want != ok {
				t.Fatalf("%q matches %q: %v; doublestar says %v, %v", p, path, ok, want, err)
			}
		}
	})
}

// like reports whether a legal pattern must match as in doublestar: it has no
// class, which could match "/" there, and no capture.
func like(source string) bool {
	source = strings.NewReplacer(`\\`, "", `\{`, "", `\,`, "", `\/`, "/").Replace(source)
	for _, part := range strings.Split(source, "{")[1:] {
		inner, _, _ := strings.Cut(part, "}")
		if !strings.Contains(inner, ",") {
			return false
		}
	}
	return !strings.ContainsAny(source, `[\`)
}
