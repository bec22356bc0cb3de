package pattern_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

var (
	word    = rapid.SampledFrom([]string{"a", "b", "ab", "é", "日", "-", "x.a", `\*`, `\é`, "]", ",", `\/`})
	wild    = rapid.SampledFrom([]string{"*", "?", "[ab]", "[a-é]", "[!a]", "[^b-z]", `[\]é]`, "[-a]", "[b-]", "[]a]", "[z-a]"})
	options = rapid.SampledFrom([]string{
		"{a,b}", "{*a,b?}", "{a/b,é}", "{**,a}", "{a/**,b}", "{a,/**}", "{a/,b/}", "{/,/a/}", "{*,b}", "{[,],b}", "{[}]a,b}", "{**/,}",
	})

	// globs are patterns without captures, some of them not legal.
	globs = rapid.Custom(func(t *rapid.T) string {
		var segments []string
		for range rapid.IntRange(1, 4).Draw(t, "segments") {
			if rapid.IntRange(0, 3).Draw(t, "deep") == 0 {
				segments = append(segments, "**")
				continue
			}
			pieces := rapid.SliceOfN(rapid.OneOf(word, word, wild, wild, options), 1, 4).Draw(t, "pieces")
			segments = append(segments, strings.Join(pieces, ""))
		}
		return strings.Join(segments, "/")
	})

	paths = rapid.StringMatching(`[abé日*\-.]{1,3}(/[abé日\]]{1,3}){0,4}`)
)

// closed adds "/" to the negated classes of globs: ours never match it.
var closed = strings.NewReplacer("[!a]", "[!a/]", "[^b-z]", "[^b-z/]")

// below finds a "/**" at the end, which we want a segment below for, unlike doublestar.
var below = regexp.MustCompile(`/\*\*(\}|,[^{}]*\})?$`)

// asDoublestar writes a glob so that doublestar reads it as we do.
func asDoublestar(source string) string {
	return below.ReplaceAllString(closed.Replace(source), "/**/*$1")
}

func TestGlobsMatchAsDoublestar(t *testing.T) {
	legal, matches := 0, 0
	lawtest.Check(t, func(t *rapid.T) {
		source := globs.Draw(t, "glob")
		p, err := pattern.Compile(source)
		if err != nil {
			return
		}
		legal++
		for _, path := range rapid.SliceOfN(paths, 1, 20).Draw(t, "paths") {
			want, err := doublestar.Match(asDoublestar(source), path)
			if err != nil {
				t.Fatalf("doublestar refuses %q: %v", source, err)
			}
			captures, got := p.Match(path)
			if got != want {
				t.Fatalf("%q matches %q: %v; doublestar says %v", source, path, got, want)
			}
			if captures != nil {
				t.Fatalf("%q captures %v of %q; want nil", source, captures, path)
			}
			if want {
				matches++
			}
		}
	})
	if !testing.Short() && (legal == 0 || matches == 0) { // few are drawn with -short
		t.Errorf("%d legal globs and %d matches drawn; want some", legal, matches)
	}
}

// Cases that random ones seldom meet.
func TestGlobsMatchAsDoublestarAtTheEdges(t *testing.T) {
	globs := []string{
		"**", "*", "a/**", "a*/**", "*a*/**", "?*/**", "a/**/**", "**/a/**", "**/*/**", "a/{**,b}", "{a,b*}/**", "a{/**,b}", "**/**/a",
		"*a*a*a*b", "**/a/**/a/**/b", "a/**/b/*/**/c", "a/*/**/b", "*é*", "*??", "?日", "[a-é]", "[!日/]", "a?b", `\**`, `\?`, `\[a\]`, `a\/b`, `a\/**`, `a\/**/b`,
	}
	paths := []string{
		"a", "b", "ab", "aa", "aab", "aaab", "aaaaaaaaaa", "a/b", "a/a", "a/b/c", "b/a", "a/a/b", "a/b/a/b", "a/b/b/c", "é", "日", "aé", "é日", "日a",
		"*", "*a", "?", "[a]", "a/b/c/b/x/c", "x/a/y/a/z/b", "a/x/y/b",
	}
	for _, glob := range globs {
		p := compile(t, glob)
		for _, path := range paths {
			want, err := doublestar.Match(asDoublestar(glob), path)
			if err != nil {
				t.Fatal(err)
			}
			if _, got := p.Match(path); got != want {
				t.Errorf("%q matches %q: %v; doublestar says %v", glob, path, got, want)
			}
		}
	}
}

// mixed are patterns of captures and what else regular expressions can say.
func mixed(pieces ...*rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(pieces...), 1, 8), func(list []string) string { return strings.Join(list, "") })
}

var (
	text         = rapid.SampledFrom([]string{"a", "b", "/", "-", "ab", "/a"})
	placeholders = rapid.SampledFrom([]string{"{path}", "{name}", "{x}", "{**y}", "{*z}", "{**}", "{*}"})
	wildcards    = rapid.SampledFrom([]string{"*", "?", "/**/", "[ab]", "[!a]"})

	shortPaths = rapid.StringMatching(`[ab](/?[ab\-]){0,14}`)
)

// placeholder finds the pieces of a pattern.
var placeholder = regexp.MustCompile(`\{[^}]*\}|/\*\*/|/\*\*$|\*|\?|\[!?[^]]*\]|[^{*?\[/]+|/`)

// deep takes away every "**" that piece translates.
var deep = strings.NewReplacer("{**", "{", "/**/", "/")

// expressions writes a pattern as regular expressions, captures by name: those are greedy and
// wildcards are not. There is one for each choice of captures that are empty; the first that
// matches counts.
func expressions(p *pattern.Pattern) []string {
	tokens := placeholder.FindAllString(p.String(), -1)
	explicit := func(name string) bool {
		return strings.Contains(p.String(), "{"+name+"}") || strings.Contains(p.String(), "*"+name+"}")
	}
	names := map[int]string{} // of the captures across segments; unique without a name
	whole := map[string]bool{}
	var order []string
	for i, s := range tokens {
		if s != "{path}" && !strings.HasPrefix(s, "{**") {
			continue
		}
		name := strings.Trim(s, "{*}")
		if name == "" && !explicit("path") {
			name = "path"
		} else if name == "" {
			name = strings.Repeat("*", i+1)
		}
		names[i] = name
		is := (i == 0 || strings.HasSuffix(tokens[i-1], "/")) && i+1 < len(tokens) && strings.HasPrefix(tokens[i+1], "/")
		if before, ok := whole[name]; ok {
			is = is && before
		} else {
			order = append(order, name)
		}
		whole[name] = is
	}
	var can []string
	for _, name := range order {
		if whole[name] {
			can = append(can, name)
		}
	}
	var list []string
	for empty := range 1 << len(can) {
		gone := map[string]bool{}
		for i, name := range can {
			gone[name] = empty>>(len(can)-1-i)&1 == 1
		}
		var b strings.Builder
		seen := map[string]bool{}
		taken := false // the slash of the next token
		for i, s := range tokens {
			if name, ok := names[i]; ok && gone[name] {
				taken = true
				continue
			}
			if taken {
				s, taken = s[1:], false
			}
			b.WriteString(piece(s, explicit, seen))
		}
		list = append(list, `(?s)^`+b.String()+`$`)
	}
	return list
}

// piece writes one piece of a pattern.
func piece(s string, explicit func(string) bool, seen map[string]bool) string {
	switch {
	case s == "*":
		return `[^/]*?`
	case s == "?":
		return `[^/]`
	case s == "/**":
		return `/.+`
	case s == "**":
		return `.+`
	case s == "/**/":
		return `/(?:.*?/)??`
	case s == "**/":
		return `(?:.*?/)??`
	case s == "[!a]":
		return `[^a/]`
	case s == "" || s[0] == '[':
		return s
	case s[0] != '{':
		return regexp.QuoteMeta(s)
	}
	name, reach := strings.Trim(s, "{*}"), `[^/]+`
	if name == "path" && s != "{*path}" || strings.HasPrefix(s, "{**") {
		reach = `[^/](?:.*[^/])?`
	}
	if anonymous := map[string]string{"{**}": "path", "{*}": "name"}[s]; anonymous != "" && !explicit(anonymous) {
		name = anonymous
	}
	if name == "" || seen[name] {
		return `(?:` + reach + `)`
	}
	seen[name] = true
	return `(?P<` + name + `>` + reach + `)`
}

func TestCapturesAsRegexp(t *testing.T) {
	matches := 0
	lawtest.Check(t, func(t *rapid.T) {
		source := mixed(text, text, placeholders, wildcards).Draw(t, "pattern") + rapid.SampledFrom([]string{"", "", "/**"}).Draw(t, "end")
		p, err := pattern.Compile(source)
		if err != nil || strings.Contains(deep.Replace(strings.TrimSuffix(source, "/**")), "**") || strings.HasSuffix(source, "*/**") {
			return
		}
		names := placeholder.FindAllString(source, -1)
		for _, v := range p.Variables() {
			count := 0
			for _, s := range names {
				if s[0] == '{' && strings.Trim(s, "{*}") == v.Name {
					count++
				}
			}
			if count > 1 {
				return // a back reference, which regexp has not
			}
		}
		var res []*regexp.Regexp
		for _, each := range expressions(p) {
			res = append(res, regexp.MustCompile(each))
		}
		for _, path := range rapid.SliceOfN(shortPaths, 1, 20).Draw(t, "paths") {
			var want pattern.Captures
			var found []string
			var re *regexp.Regexp
			for _, re = range res {
				if found = re.FindStringSubmatch(path); found != nil {
					break
				}
			}
			if found != nil && len(p.Variables()) > 0 {
				want = pattern.Captures{}
				for _, v := range p.Variables() {
					want[v.Name] = ""
				}
			}
			for i, name := range re.SubexpNames() {
				if found != nil && name != "" {
					want[name] = found[i]
				}
			}
			got, ok := p.Match(path)
			if ok != (found != nil) {
				t.Fatalf("%q matches %q: %v; regexp %v says %v", source, path, ok, re, found != nil)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("captures of %q in %q (-regexp %v +got):\n%s", source, path, re, diff)
			}
			if ok {
				matches++
			}
		}
	})
	if matches == 0 && !testing.Short() {
		t.Error("no matches drawn; want some")
	}
}
