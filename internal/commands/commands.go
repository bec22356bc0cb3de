// Package commands runs what firing rules prescribe: on copies of the files that
// are checked, several at a time, and a second time to prove that the result is
// stable. Package staging writes the result back.
package commands

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Job is the command of one rule that fires.
type Job struct {
	Rule    string // id
	Action  *rule.Action
	Timeout time.Duration
	Files   []string // paths from the repository's root, in byte order; each present, regular and text
}

// File is a file as it is at head.
type File struct {
	Path       string
	Executable bool
	Content    []byte
}

// Outcome is one run of a program.
type Outcome struct {
	Rule   string // id
	Argv   []string
	Files  []string // that it was given
	Exit   int      // status; -1 where it was killed or did not start
	Failed string   // why it was not run to its end, or what it left counts for nothing, as in "timed out after 1m0s"; else empty
	// Changed are the files that it left other than it found them, unless a later
	// command undid that; of a command that names no file, any that rules matched.
	Changed    []string
	Idempotent bool   // a second run on the result changed nothing more
	Difference string // what the second run changed, as a unified diff; empty where it is idempotent
	Stdout     []byte // cut to a limit
	Stderr     []byte // cut to a limit
	Took       time.Duration
	ProofTook  time.Duration // of the second run; 0 where there was none
}
