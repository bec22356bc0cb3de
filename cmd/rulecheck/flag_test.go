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
