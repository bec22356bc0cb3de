package main

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/rulecheck/rulecheck/internal/ahead"
)

// TestFlagsAhead holds the flags that are read before there is a command to those of
// the command: that it has them, and whether they have a value.
func TestFlagsAhead(t *testing.T) {
	understood := func(args ...string) bool { _, ok := ahead.Judgement(args, nil); return ok }
	known := 0
	newRoot(&process{}).Flags().VisitAll(func(f *pflag.Flag) {
		for _, name := range []string{"--" + f.Name, "-" + f.Shorthand} {
			if !understood(name) {
				continue
			}
			known++
			if valued := understood(name, "value", "--quiet"); valued == (f.Value.Type() == "bool") {
				t.Errorf("%s: takes a value: %v; want otherwise", name, valued)
			}
		}
	})
	if all := ahead.Flags(); known != len(all) {
		t.Errorf("the command knows %d of the flags %q", known, all)
	}
}
