package shell_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/shell"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"main": "main", "origin/feature-1": "origin/feature-1", "src/é.py": "src/é.py", "a@{u}": "'a@{u}'", "": "''",
		"m$(touch${IFS}pwn)": "'m$(touch${IFS}pwn)'", "it's": `'it'\''s'`, "a b": "'a b'", "a\nb": `$'a\x0ab'`, "\u202ex'": `$'\xe2\x80\xaex\''`,
	} {
		if got := shell.Quote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}

// A shell reads back every word, and runs nothing.
func TestQuoteLaw(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to ask")
	}
	nasty := rapid.StringOf(rapid.SampledFrom([]rune("a/-'\"$`\\ (){}[]*?!#~&|;<>=^%,\n\t\x1b\u200b\u202eé")))
	lawtest.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(nasty, rapid.String()), 1, 40).Draw(t, "words")
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "\x00", "")
		}
		out, err := exec.CommandContext(t.Context(), bash, "-c", `printf '%s\0' `+string(shell.Line(words...))).CombinedOutput()
		if want := strings.Join(words, "\x00") + "\x00"; err != nil || string(out) != want {
			t.Fatalf("%s gives %q, %v, want %q", shell.Line(words...), out, err, want)
		}
	})
}
