package pattern_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// part is a piece of a pattern of the model: "?", "*", "**" with or without its "/", a capture
// in braces, or text.
type part string

func (p part) captures() bool { return p[0] == '{' }

func (p part) name() string { return strings.Trim(string(p), "{*}") }

func (p part) multi() bool { return p == "{path}" || strings.HasPrefix(string(p), "{**") }

// reading is one way to read a path: what each part that varies took of it. An empty capture
// has taken -1 bytes.
type reading struct {
	empty    []int // by capture that may be empty, in order: 1 if it is
	taken    []int // the bytes of each part, negative where more is better
	captures pattern.Captures
}

// better orders readings: fewer and later captures are empty, then captures are long and
// wildcards are short, from left to right.
func better(a, b reading) int {
	return cmp.Or(slices.Compare(a.empty, b.empty), slices.Compare(a.taken, b.taken))
}

// readings finds every reading of a path.
type readings struct {
	parts    []part
	mayEmpty map[string]bool
	found    []reading
}

func newReadings(parts []part) *readings {
	m := &readings{parts: parts, mayEmpty: map[string]bool{}}
	for i, p := range parts {
		if !p.captures() || !p.multi() {
			continue
		}
		begins := i == 0 || strings.HasSuffix(string(parts[i-1]), "/")
		ends := i+1 < len(parts) && parts[i+1] == "/"
		may, known := m.mayEmpty[p.name()]
		m.mayEmpty[p.name()] = begins && ends && (may || !known)
	}
	return m
}

// read reads the rest of a path by the parts from i on.
func (m *readings) read(i int, rest string, so reading) {
	if i == len(m.parts) {
		if rest == "" {
			m.found = append(m.found, so)
		}
		return
	}
	take := func(n int, more bool, c pattern.Captures) {
		next := so
		cost := n
		if more {
			cost = -n
		}
		next.taken = append(slices.Clip(so.taken), cost)
		if c != nil {
			next.captures = c
		}
		m.read(i+1, rest[n:], next)
	}
	switch p := m.parts[i]; {
	case p.captures():
		m.capture(i, p, rest, so)
	case p == "?":
		if rest != "" && rest[0] != '/' {
			m.read(i+1, rest[1:], so)
		}
	case p == "*":
		for n := 0; n <= len(rest) && !strings.Contains(rest[:n], "/"); n++ {
			take(n, false, nil)
		}
	case p == "**/":
		for n := 0; n <= len(rest); n++ {
			if n == 0 || rest[n-1] == '/' {
				take(n, false, nil)
			}
		}
	case p == "**":
		if rest != "" {
			take(len(rest), false, nil)
		}
	case strings.HasPrefix(rest, string(p)):
		m.read(i+1, rest[len(p):], so)
	}
}

func (m *readings) capture(i int, p part, rest string, so reading) {
	if text, bound := so.captures[p.name()]; bound {
		if text == "" { // with its "/"
			m.read(i+2, rest, so)
		} else if strings.HasPrefix(rest, text) {
			m.read(i+1, rest[len(text):], so)
		}
		return
	}
	with := func(text string) pattern.Captures {
		c := pattern.Captures{p.name(): text}
		maps.Copy(c, so.captures)
		return c
	}
	empty := so.empty
	if m.mayEmpty[p.name()] {
		without := so
		without.captures, without.empty = with(""), append(slices.Clip(empty), 1)
		m.read(i+2, rest, without)
		so.empty = append(slices.Clip(empty), 0)
	}
	for n := 1; n <= len(rest); n++ {
		text := rest[:n]
		if strings.HasPrefix(text, "/") || strings.HasSuffix(text, "/") || !p.multi() && strings.Contains(text, "/") {
			continue
		}
		next := so
		next.captures = with(text)
		next.taken = append(slices.Clip(so.taken), -n)
		m.read(i+1, rest[n:], next)
	}
}

var modelSegments = rapid.SampledFrom([][]part{
	{"a"},
	{"b"},
	{"ab"},
	{"*"},
	{"?"},
	{"*", "b"},
	{"a", "*"},
	{"{name}"},
	{"{x}", "-", "*"},
	{"{*z}", "b"},
	{"{path}"},
	{"{path}"},
	{"{**y}"},
	{"{**y}"},
	{"{**dir}"},
	{"a", "{**y}"},
	{"{path}", "b"},
	{"a", "{path}", "?"},
	{"**"},
	{"**"},
})

// drawParts draws a pattern in parts.
func drawParts(t *rapid.T) []part {
	var parts []part
	for i, segment := range rapid.SliceOfN(modelSegments, 1, 5).Draw(t, "segments") {
		if i > 0 {
			if last := len(parts) - 1; parts[last] == "**" {
				parts[last] = "**/"
			} else {
				parts = append(parts, "/")
			}
		}
		parts = append(parts, segment...)
	}
	return parts
}

// drawModelPath draws a path, often one that the parts match.
func drawModelPath(t *rapid.T, parts []part) string {
	if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		return rapid.StringMatching(`[ab\-]{1,2}(/[ab\-]{1,2}){0,4}`).Draw(t, "path")
	}
	texts := map[part]string{}
	var b strings.Builder
	for _, p := range parts {
		text, known := texts[p]
		switch {
		case known:
		case p == "?":
			text = "a"
		case p == "*" || p.captures() && !p.multi():
			text = rapid.SampledFrom([]string{"a", "b", "ab", "-"}).Draw(t, "text")
		case p == "**/":
			text = rapid.SampledFrom([]string{"", "a/", "b/a/"}).Draw(t, "text")
		case p == "**" || p.captures():
			text = rapid.SampledFrom([]string{"", "", "a", "b", "a/b", "a/b/a"}).Draw(t, "text")
		default:
			text = string(p)
		}
		if p.captures() {
			texts[p] = text
		}
		b.WriteString(text)
	}
	path := strings.Trim(b.String(), "/")
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// TestMatchesAsTheModel compares matches and captures with the best of all readings that there
// are.
func TestMatchesAsTheModel(t *testing.T) {
	pairs, matches, empties, deep := 0, 0, 0, 0
	lawtest.Check(t, func(t *rapid.T) {
		parts := drawParts(t)
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(string(p))
		}
		p, err := pattern.Compile(b.String())
		if err != nil {
			return
		}
		for range 5 {
			path := drawModelPath(t, parts)
			if path == "" {
				continue
			}
			m := newReadings(parts)
			m.read(0, path, reading{})
			var want pattern.Captures
			if len(m.found) > 0 {
				want = slices.MinFunc(m.found, better).captures
			}
			got, ok := p.Match(path)
			if ok != (len(m.found) > 0) {
				t.Fatalf("%q matches %q: %v; the model has %d readings", p, path, ok, len(m.found))
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("captures of %q in %q (-model +got):\n%s", p, path, diff)
			}
			pairs++
			if ok {
				matches++
				if slices.Contains(slices.MinFunc(m.found, better).empty, 1) {
					empties++
				}
				if parts[len(parts)-1] == "**" {
					deep++
				}
			}
		}
	})
	t.Logf("%d pairs, %d matches, %d with empty captures, %d of /** at the end", pairs, matches, empties, deep)
	if !testing.Short() && (empties == 0 || deep == 0) {
		t.Error("no match with an empty capture drawn, or none of /** at the end; want some")
	}
}

// TestFilledInPathsArePaths fills captures that may be empty into other patterns: into what
// takes them, they make a path that it matches, and into others none.
func TestFilledInPathsArePaths(t *testing.T) {
	paths, none := 0, 0
	lawtest.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, p := range drawParts(t) {
			b.WriteString(string(p))
		}
		p, err := pattern.Compile(b.String())
		if err != nil {
			return
		}
		c := pattern.Captures{}
		for _, v := range p.Variables() {
			c[v.Name] = "a"
			if v.Multi {
				c[v.Name] = rapid.SampledFrom([]string{"", "a", "a/b"}).Draw(t, "text")
			}
		}
		path, ok := p.Path(c)
		if !p.Takes(c) {
			none++
			if shown := p.Expand(c); ok || strings.Contains("/"+shown+"/", "//") {
				t.Fatalf("%q does not take %v, but is the path %q, %v, shown as %q", p, c, path, ok, shown)
			}
			return
		}
		bound := p.Bind(c)
		if bound.Variables() != nil || bound.String() != p.Expand(c) {
			t.Fatalf("%q bound to %v is %q, shown as %q", p, c, bound, p.Expand(c))
		}
		if again := compile(t, bound.String()); again.String() != bound.String() {
			t.Fatalf("%q compiled again is %q", bound, again)
		}
		if !ok {
			return
		}
		paths++
		if path == "" || strings.Contains("/"+path+"/", "//") {
			t.Fatalf("%q with %v is the path %q", p, c, path)
		}
		_, matches := p.Match(path)
		if _, exact := bound.Match(path); !matches || !exact {
			t.Fatalf("%q with %v is the path %q: it matches %v, bound %v", p, c, path, matches, exact)
		}
	})
	if !testing.Short() && (paths == 0 || none == 0) {
		t.Errorf("%d paths, %d captures that are not taken; want some", paths, none)
	}
}
