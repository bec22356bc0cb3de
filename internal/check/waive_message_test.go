package check_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/check"
)

// messageLines are what messages of commits are made of, for better and worse.
var messageLines = []string{
	"", "", "", "subject", "words and more", "K: one", "k : two", "K:three", "K :", " continued", "\tmore", "   ", "# comment",
	"#", "Signed-off-by: A <a@example.com>", "(cherry picked from commit 0123)", "Other-Key: x", "K with blank: x", "K\t: y",
	" K: indented", "https://example.com", "Reviewed: by # him", "no:colon-key", ": nothing", "-: dash", "Ka: other", "K: four  ",
}

func drawMessage(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(messageLines), 1, 12).Draw(t, "lines"), "\n") + "\n"
}

// gitFilter is what a git command makes of a text.
func gitFilter(t *testing.T, r *repository, text string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.env, strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// TestTrailersAreGits holds what we take for a trailer against git.
func TestTrailersAreGits(t *testing.T) {
	r := newRepository(t)
	rapid.Check(t, func(rt *rapid.T) {
		message := drawMessage(rt)
		var want []string
		for line := range strings.Lines(gitFilter(t, r, message, "interpret-trailers", "--parse", "--no-divider")) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
			if strings.EqualFold(strings.TrimSpace(key), "K") {
				want = append(want, strings.TrimSpace(value))
			}
		}
		got, strays := check.TrailersIn(message, "K")
		if !slices.EqualFunc(got, want, sameWords) { // blanks within a value mean nothing
			rt.Fatalf("%q: got %q; git has %q", message, got, want)
		}
		if n := strings.Count("\n"+message, "\nK:") + strings.Count("\n"+message, "\nk :") + strings.Count("\n"+message, "\nK :") +
			strings.Count("\n"+message, "\nK\t:"); n != len(got)+len(strays) {
			rt.Fatalf("%q: %d trailers and %d strays; want %d together", message, len(got), len(strays), n)
		}
	})
}

// TestCleanedIsGits holds what is read of a message against what git commits.
func TestCleanedIsGits(t *testing.T) {
	r := newRepository(t)
	rapid.Check(t, func(rt *rapid.T) {
		message := drawMessage(rt)
		want := strings.TrimSuffix(gitFilter(t, r, message, "stripspace", "--strip-comments"), "\n")
		if got := check.Cleaned(message, "#"); got != want {
			rt.Fatalf("%q: got %q; git has %q", message, got, want)
		}
	})
}

func TestCleaned(t *testing.T) {
	const cut = " ------------------------ >8 ------------------------\n"
	for _, tt := range []struct{ name, message, mark, want string }{
		{"scissors", "a\n\nb\n#" + cut + "# not a part\n+<promise>R</promise>\n", "#", "a\n\nb"},
		{"scissors of another mark", "a\n#" + cut + "b\n", ";", "a\n#" + cut + "b"},
		{"another mark", "a\n; b\n# c\n", ";", "a\n# c"},
		{"a longer mark", "a\n// b\n/ c\n", "//", "a\n/ c"},
		{"chosen by git", "# a\n\nb\n\n; Please enter\n;\n", "auto", "# a\n\nb"},
		{"chosen, but nothing commented", "a\nb", "auto", "a\nb"},
		{"empty", "", "auto", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, check.Cleaned(tt.message, tt.mark), tt.want) })
	}
}

func FuzzMessages(f *testing.F) {
	f.Add("subject\n\nRulecheck-Waive: a b\n c\n# comment\n")
	f.Add("x `<promise>✓ R</promise>` <promise>R\n</promise>\n```\n<!-- \n")
	f.Add(";\n; ------------------------ >8 ------------------------\n")
	f.Fuzz(func(t *testing.T, message string) {
		once := check.Cleaned(message, "#")
		if twice := check.Cleaned(once, "#"); twice != once {
			t.Errorf("%q is cleaned to %q, and that to %q", message, once, twice)
		}
		check.Cleaned(message, "auto")
		check.TrailersIn(message, "Rulecheck-Waive")
		for _, p := range check.PromisesIn(message) {
			if p[0] == "" || p[1] == "" || strings.Contains(p[0], "<") {
				t.Errorf("%q has the promise %q", message, p)
			}
		}
	})
}
