package rule_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestShellPrograms keeps names of files out of what shells read as a program.
func TestShellPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bad  bool
		argv []string
	}{
		{true, []string{"sh", "-c", "fmt {file}"}},
		{true, []string{"/bin/bash", "--norc", "-euo", "pipefail", "-c", "fmt {file}"}},
		{true, []string{"env", "X=1", "zsh", "-c", "-e", "{file}"}},
		{true, []string{"bash", "-c", "+o", "posix", "fmt {file}"}},
		{true, []string{"sh", "-c", "{repo_root}/fmt", "sh", "{file}"}},
		{false, []string{"sh", "-c", "fmt \"$1\"", "sh", "{file}"}},
		{false, []string{"sh", "-e", "scripts/fmt.sh", "-c", "{file}"}},
		{false, []string{"sh", "{file}"}},
		{false, []string{"sh", "-s"}},
		{false, []string{"sh", "", "-c", "{file}"}},
		{false, []string{"fmt", "-c", "{file}"}},
	} {
		words, err := json.Marshal(c.argv)
		if err != nil {
			t.Fatal(err)
		}
		_, problems := rule.Parse("a.md", []byte("---\ntrigger: a\naction: {command: "+string(words)+"}\n---\n"), modes(t))
		if bad := len(problems) == 1 && problems[0].Code == "bad_placeholder" && strings.Contains(problems[0].Message, "[sh, -c, '…', sh, '{file}']"); bad != c.bad {
			t.Errorf("%s: got %q, want a problem: %v", words, problems, c.bad)
		}
	}
}
