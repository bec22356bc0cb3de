package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestEmptyFlags passes the empty text to every flag of every command: a script with an
// unset variable must not check something else.
func TestEmptyFlags(t *testing.T) {
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		try := func(f *pflag.Flag) {
			seen++
			args := slices.Concat(strings.Fields(cmd.CommandPath())[1:], []string{"--" + f.Name + "="})
			var stderr strings.Builder
			p := &process{args: args, stdin: strings.NewReader(""), stdout: io.Discard, stderr: &stderr}
			if status := p.run(t.Context()); status != statusUsage || !strings.Contains(stderr.String(), "--"+f.Name) {
				t.Errorf("%q: exit status %d, %s; want %d and an error that names the flag", args, status, stderr.String(), statusUsage)
			}
		}
		cmd.LocalFlags().VisitAll(try)
		cmd.InheritedFlags().VisitAll(try)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot(&process{}, commandTable))
	if seen < 100 {
		t.Errorf("%d flags; want those of all commands", seen)
	}
}

// TestNamed finds each subcommand by its name, wherever it is on the command line, and all of them for
// help.
func TestNamed(t *testing.T) {
	for _, c := range commandTable {
		if built := c.build(&process{}); built.Name() != c.name {
			t.Errorf("the command %q is in the table as %q", built.Name(), c.name)
		}
		if list := named([]string{"--quiet", c.name, "--format", "json"}); len(list) != 1 || list[0].name != c.name {
			t.Errorf("%s: %d commands are built; want it alone", c.name, len(list))
		}
		if list := named([]string{c.name, "-qh"}); len(list) != len(commandTable) {
			t.Errorf("%s -qh: %d commands are built; want all", c.name, len(list))
		}
	}
	if list := named([]string{"--since", "main", "docs/"}); len(list) != 0 {
		t.Errorf("%d commands are built for a check; want none", len(list))
	}
}
