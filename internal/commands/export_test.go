package commands

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// LowerSandbox has no stronger sandbox be used for the time of a test.
func LowerSandbox(t *testing.T, level sandbox.Level) {
	t.Helper()
	before := strongest
	strongest = level
	t.Cleanup(func() { strongest = before })
}

// Argvs are the runs of a command for files in a copy at root.
func Argvs(a *rule.Action, files []string, root string) [][]string {
	var all [][]string
	for _, given := range batches(a, files, 0) {
		all = append(all, expand(a, given, root))
	}
	return all
}

// OutputEnds is how much of each end of a program's output is kept.
const OutputEnds = outputEnds

// Kept returns the kept part of an output that is written in parts.
func Kept(parts ...[]byte) []byte {
	var o output
	for _, p := range parts {
		if n, err := o.Write(p); n != len(p) || err != nil {
			panic("an output refuses what is written to it")
		}
	}
	return o.bytes()
}

// StartFailure explains why a program did not start.
var StartFailure = startFailure
