package usage_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
)

// Descriptions, commands, examples and flags are wrapped, each below itself; what is indented like
// code stays as it is.
func TestWrap(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "tool", Long: "It checks what changed against the rules\nin the repository.\n\n    {\"id\": \"team/web\", \"git_dir\": \"/srv/git/web.git\"}"}
	root.AddCommand(&cobra.Command{Use: "show", Short: "Show what was found in the repository", Example: "  tool show   show what was found in all of the files", Run: func(*cobra.Command, []string) {}})
	root.PersistentFlags().Bool("all", false, "show all of what was found in the files")
	var out strings.Builder
	root.SetOut(&out)
	usage.Wrap(root, 40)
	for _, args := range [][]string{{"--help"}, {"show", "--help"}} {
		root.SetArgs(args)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
	}
	text := out.String()
	for _, want := range []string{
		"It checks what changed against the rules\nin the repository.\n",
		"\n    {\"id\": \"team/web\", \"git_dir\": \"/srv/git/web.git\"}\n",
		"\n  show        Show what was found in the\n              repository\n",
		"\n  tool show   show what was found in all\n              of the files\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 41 && !strings.HasPrefix(line, "    {") && !strings.HasPrefix(line, "Use ") {
			t.Errorf("%d columns: %q", len(line)-1, line)
		}
	}
}
