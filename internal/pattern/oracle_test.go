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
			want, err := doublestar.Match(closed.Replace(source), path)
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
			want, err := doublestar.Match(glob, path)
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

// placeholder finds what expression translates.
var placeholder = regexp.MustCompile(`\{[^}]*\}|/\*\*/|/\*\*$|\*|\?|\[!?[^]]*\]|[^{*?\[/]+|/`)

// deep takes away every "**" that expression translates.
var deep = strings.NewReplacer("{**", "{", "/**/", "/")

// expression writes a pattern as a regular expression, captures by name: those
// are greedy and wildcards are not.
func expression(p *pattern.Pattern) string {
	seen := map[string]bool{}
	named := map[string]pattern.Variable{}
	for _, v := range p.Variables() {
		named[v.Name] = v
	}
	explicit := func(name string) bool {
		return strings.Contains(p.String(), "{"+name+"}") || strings.Contains(p.String(), "*"+name+"}")
	}
	return `(?s)^` + placeholder.ReplaceAllStringFunc(p.String(), func(s string) string {
		switch {
		case s == "*":
			return `[^/]*?`
		case s == "?":
			return `[^/]`
		case s == "/**":
			return `(?:/.*)?`
		case s == "/**/":
			return `/(?:.*?/)??`
		case s == "[!a]":
			return `[^a/]`
		case s[0] == '[':
			return s
		case s[0] != '{':
			return regexp.QuoteMeta(s)
		}
		name, reach := strings.Trim(s, "{*}"), `[^/]+`
		if name == "path" || strings.HasPrefix(s, "{**") {
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
	}) + `$`
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
		re := regexp.MustCompile(expression(p))
		for _, path := range rapid.SliceOfN(shortPaths, 1, 20).Draw(t, "paths") {
			var want pattern.Captures
			found := re.FindStringSubmatch(path)
			for i, name := range re.SubexpNames() {
				if found != nil && name != "" {
					if want == nil {
						want = pattern.Captures{}
					}
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
