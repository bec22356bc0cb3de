package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands calls visit with each command there is, a command before those below it.
func subcommands(visit func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		visit(cmd)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot(&process{stdout: io.Discard, stderr: io.Discard}))
}

func TestEveryCommandHasAnExample(t *testing.T) {
	subcommands(func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s: want a Short and an Example", cmd.CommandPath())
			return
		}
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			_, call, ok := strings.Cut(line, "  ")
			call, _, _ = strings.Cut(call, "  ") // what follows explains
			if words := strings.Fields(call); !ok || !strings.HasPrefix(call, cmd.CommandPath()) {
				t.Errorf("%s: example %q; want two blanks and a call of this command", cmd.CommandPath(), line)
			} else if err := parses(words[1:]); err != nil {
				t.Errorf("%s: example %q: %v", cmd.CommandPath(), line, err)
			}
		}
	})
}

// parses returns an error if the words of a call are not valid.
func parses(words []string) error {
	root := newRoot(&process{stdout: io.Discard, stderr: io.Discard})
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// TestCommandReference compares docs/cli.md with the commands; UPDATE=1 rewrites it.
func TestCommandReference(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Command reference\n\n" +
		"<!-- Generated from the commands: UPDATE=1 go test ./cmd/rulecheck -run TestCommandReference -->\n\n" +
		"Run any command with `--help` to print its description. `rulecheck completion SHELL` prints shell completions for bash, zsh, fish and PowerShell.\n")
	subcommands(func(cmd *cobra.Command) { describe(&b, cmd) })
	file := filepath.Join("..", "..", "docs", "cli.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), string(text)); diff != "" {
		t.Errorf("%s is stale; run: make update (-want +got):\n%s", file, diff)
	}
}

// describe writes the section of one command.
func describe(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "\n## %s\n\n", cmd.CommandPath())
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	fmt.Fprintln(w, literal.Replace(about))
	fmt.Fprintf(w, "\n```text\n%s\n```\n\nExamples:\n\n```text\n", cmd.UseLine())
	for line := range strings.SplitSeq(cmd.Example, "\n") {
		fmt.Fprintf(w, "%s\n", strings.TrimPrefix(line, "  "))
	}
	fmt.Fprint(w, "```\n")
	if cmd.LocalFlags().HasAvailableFlags() {
		fmt.Fprint(w, "\n| flag | meaning |\n|---|---|\n")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { fmt.Fprint(w, flagRow(f)) })
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\n| command | meaning |\n|---|---|\n")
		for _, c := range cmd.Commands() {
			anchor := strings.ReplaceAll(c.CommandPath(), " ", "-")
			fmt.Fprintf(w, "| [`%s`](#%s) | %s |\n", c.Name(), anchor, cell(c.Short))
		}
	}
}

func flagRow(f *pflag.Flag) string {
	placeholder, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if placeholder != "" {
		name += " " + placeholder
	}
	return fmt.Sprintf("| `%s` | %s |\n", name, cell(usage))
}

// literal keeps text from being taken for markdown.
var literal = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`)

// cell is text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
