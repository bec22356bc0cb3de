package waiver_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// messageLines are lines of commit messages, well-formed and malformed ones.
var messageLines = []string{
	"", "", "", "subject", "words and more", "K: one", "k : two", "K:three", "K :", " continued", "\tmore", "   ", "# comment",
	"#", "Signed-off-by: A <a@example.com>", "(cherry picked from commit 0123)", "Other-Key: x", "K with blank: x", "K\t: y",
	" K: indented", "https://example.com", "Reviewed: by # him", "no:colon-key", ": nothing", "-: dash", "Ka: other", "K: four  ",
}

func drawMessage(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(messageLines), 1, 12).Draw(t, "lines"), "\n") + "\n"
}

// gitFilter returns the output of a git command for a text.
func gitFilter(t *testing.T, r *gittest.Repository, text string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// TestTrailersMatchGit compares the trailers found with those of git interpret-trailers.
func TestTrailersMatchGit(t *testing.T) {
	r := gittest.New(t)
	lawtest.Check(t, func(rt *rapid.T) {
		message := drawMessage(rt)
		var want []string
		for line := range strings.Lines(gitFilter(t, r, message, "interpret-trailers", "--parse", "--no-divider")) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
			if strings.EqualFold(strings.TrimSpace(key), "K") {
				want = append(want, strings.TrimSpace(value))
			}
		}
		got, strays := waiver.TrailersIn(message, "K")
		if !slices.EqualFunc(got, want, sameWords) { // blanks within a value mean nothing
			rt.Fatalf("%q: got %q; git has %q", message, got, want)
		}
		if n := strings.Count("\n"+message, "\nK:") + strings.Count("\n"+message, "\nk :") + strings.Count("\n"+message, "\nK :") +
			strings.Count("\n"+message, "\nK\t:"); n != len(got)+len(strays) {
			rt.Fatalf("%q: %d trailers and %d strays; want %d together", message, len(got), len(strays), n)
		}
	})
}

// TestCleanedMatchesGit compares cleaned messages with those that git commits.
func TestCleanedMatchesGit(t *testing.T) {
	r := gittest.New(t)
	lawtest.Check(t, func(rt *rapid.T) {
		message := drawMessage(rt)
		want := strings.TrimSuffix(gitFilter(t, r, message, "stripspace", "--strip-comments"), "\n")
		if got := waiver.Cleaned(message, "#"); got != want {
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
		t.Run(tt.name, func(t *testing.T) { equal(t, waiver.Cleaned(tt.message, tt.mark), tt.want) })
	}
}

func FuzzMessages(f *testing.F) {
	f.Add("subject\n\nRulecheck-Waive: a b\n c\n# comment\n")
	f.Add("x `<promise>✓ R</promise>` <promise>R\n</promise>\n```\n<!-- \n")
	f.Add(";\n; ------------------------ >8 ------------------------\n")
	f.Fuzz(func(t *testing.T, message string) {
		once := waiver.Cleaned(message, "#")
		if twice := waiver.Cleaned(once, "#"); twice != once {
			t.Errorf("%q is cleaned to %q, and that to %q", message, once, twice)
		}
		waiver.Cleaned(message, "auto")
		waiver.TrailersIn(message, "Rulecheck-Waive")
		for _, p := range waiver.PromisesIn(message) {
			if p[0] == "" || p[1] == "" || strings.Contains(p[0], "<") {
				t.Errorf("%q has the promise %q", message, p)
			}
		}
	})
}

func TestHooksThatReadTheMessage(t *testing.T) {
	const (
		framework = "#!/bin/sh\nexec python -mpre_commit hook-impl\n"
		named     = "repos:\n- repo: x\n  hooks:\n  - id: rulecheck-msg # the message\n"
	)
	for _, tt := range []struct {
		name, hook, config string
		want               bool
	}{
		{"script", "#!/bin/sh\nexec rulecheck --staged --message \"$1\"\n", "", true},
		{"over lines", "npx rulecheck --staged \\\n  --message=\"$1\"", "", true},
		{"the index alone", "#!/bin/sh\nrulecheck --staged\n", "", false},
		{"a comment", "#!/bin/sh\n# rulecheck --staged --message\ntrue # rulecheck --message\n", "", false},
		{"framework", framework, named, true},
		{"framework, the system's program", framework, strings.Replace(named, "-msg", "-msg-system", 1), true},
		{"framework, wheel", framework, "repos: [{hooks: [{id: rulecheck-msg-python}]}]\n", true},
		{"framework, flow style", framework, `{"repos": [{"hooks": [{"id": "rulecheck-msg"}]}]}`, true},
		{"framework without a configuration", framework, "", false},
		{"framework, another hook", framework, strings.Replace(named, "-msg", "", 1), false},
		{"framework, a longer id", framework, strings.Replace(named, "-msg", "-msg-2", 1), false},
		{"framework, commented", framework, strings.ReplaceAll(named, "  -", "# -"), false},
		{"something else", "#!/bin/sh\nexec lefthook run commit-msg\n", named, false},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, waiver.MessageRead(tt.hook, tt.config), tt.want) })
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
