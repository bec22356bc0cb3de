package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nextStep matches the end of an answer that names what to do.
var nextStep = regexp.MustCompile(`\b(wants?|did you mean|see|use|with)[ :]|\brun: |no such file here`)

// TestMistakesOfEveryCommand makes the same mistakes in the call of each command, and at least ten:
// with each of its flags, with names that do not exist, and with too many and too few arguments.
// Each is refused with the next step.
func TestMistakesOfEveryCommand(t *testing.T) {
	needBash(t)
	dir := t.TempDir()
	env := isolated(t, t.TempDir())
	sh(t, env, dir, "git init -q repo; cd repo; mkdir -p .rulecheck/rules; printf -- '---\ntrigger: a\n---\nLook.\n' >.rulecheck/rules/a.md; git add .; git commit -qm one")
	t.Chdir(filepath.Join(dir, "repo"))
	subcommands(func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		mistakes := [][]string{{"--nosuch"}, {"-Z"}, {"--nosuch=x"}, {"--Format", "json"}, {"one", "two", "three", "four"}, {"--help=perhaps"}, {"--git", "hg"}}
		if cmd.Name() != "hook" { // the payload decides which agent it is
			mistakes = append(mistakes, []string{"nosuchthing"})
		}
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
			set.VisitAll(func(f *pflag.Flag) { mistakes = append(mistakes, withFlag(f)...) })
		}
		if len(mistakes) < 10 {
			t.Errorf("%s: %d mistakes; want 10", cmd.CommandPath(), len(mistakes))
		}
		for _, mistake := range mistakes {
			status, stdout, stderr := called(t, env, append(slices.Clone(words), mistake...)...)
			answer := stdout + stderr
			if status != 2 && status != 3 && cmd.Name() != "explain" || !nextStep.MatchString(answer) || strings.Contains(answer, "\n\tpanic") {
				t.Errorf("%s %s: status %d: %s", cmd.CommandPath(), strings.Join(mistake, " "), status, answer)
			}
		}
	})
	if _, err := os.Stat(".rulecheck/config.yml"); err == nil {
		t.Error("a mistake wrote a file")
	}
}

// withFlag returns mistakes with a flag: a letter too few, one dash, no value, an empty one, and one
// of another type.
func withFlag(f *pflag.Flag) [][]string {
	all := [][]string{{"--" + f.Name[:1] + f.Name[2:] + "x"}, {"--" + f.Name + "="}}
	switch f.Value.Type() {
	case "bool":
		return append(all, []string{"--" + f.Name + "=perhaps"})
	case "int":
		all = append(all, []string{"--" + f.Name, "many"}, []string{"--" + f.Name, "-1"})
	}
	if f.NoOptDefVal == "" {
		all = append(all, []string{"--" + f.Name})
	}
	return all
}
