package diff_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// ignoreParts are the elements of random patterns and names.
var (
	ignoreParts = []string{
		"a", "b", "ab", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "[[:space:]]", "[b", "[[:nope:]]", "[a-]",
		"[\\]]", "\\a", "\\*", "\\", " ", "\\ ", ".", "!", "#", "é", "[x-b]", "[[]", "[[:digit:]b]", "*/", "/*", "**/", "/**",
	}
	ignoreNames = []string{
		"a", "b", "ab", "ba", "c", "*", "[b", "a b", "b ", "é", "]", "-", ".a", "!a", "#a", "1",
		"d/a", "d/b", "d/ab", "d/e/a", "d/e/b", "d/e/f/ab", "d/a b", "abc/x", "a.b/c", "x/y/z/a",
	}
)

// TestEmbeddedIgnores compares with git ls-files on random patterns.
func TestEmbeddedIgnores(t *testing.T) {
	s := newSandbox(t)
	for i, name := range ignoreNames {
		if slices.ContainsFunc(ignoreNames, func(other string) bool { return strings.HasPrefix(other, name+"/") }) {
			continue
		}
		s.write(name, "1\n")
		if i%9 == 8 {
			s.git("--literal-pathspecs", "add", "-f", "--", name)
		}
	}
	answered := 0
	lawtest.Check(t, func(t *rapid.T) {
		for _, file := range []string{".gitignore", "d/.gitignore", ".git/info/exclude", "../home/git/ignore"} {
			lines := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(ignoreParts), 1, 5), 0, 4).Draw(t, file)
			var text strings.Builder
			for _, parts := range lines {
				text.WriteString(strings.Join(parts, "") + rapid.SampledFrom([]string{"\n", "\n", "\r\n", "  \n"}).Draw(t, "end"))
			}
			s.write(file, rapid.SampledFrom([]string{"", "", "\xef\xbb\xbf"}).Draw(t, "start")+text.String()+rapid.SampledFrom([]string{"", "a", "b\r"}).Draw(t, "last line"))
		}
		want := listed(s.git("ls-files", "-c", "-o", "--exclude-standard", "-z"))
		e, err := engines[1].open(t, s)
		if err != nil {
			t.Fatalf("%v", err)
		}
		got, err := e.Files(t.Context(), diff.Head{Kind: diff.Worktree})
		if refused(err) {
			return
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		answered++
		if !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
	})
	if answered == 0 && !testing.Short() {
		t.Error("every question was refused")
	}
}
