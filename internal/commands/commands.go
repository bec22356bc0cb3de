// Package commands runs the commands of rules that fire: in a sandbox, on copies of
// the checked files, several in parallel, and a second time to prove that the
// result is stable. Package staging writes the result back.
package commands

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Job is the command of a rule that fires.
type Job struct {
	Rule    string // id
	Action  *rule.Action
	Timeout time.Duration
	Files   []string // paths from the repository's root in byte order; regular text files that exist
}

// File is a file at head.
type File struct {
	Path       string
	Executable bool
	Content    []byte
}

// Outcome is one run of a program.
type Outcome struct {
	Rule   string // id
	Argv   []string
	Files  []string // arguments
	Exit   int      // exit status; -1 if it was killed or did not start
	Failed string   // why it did not finish, or its result is not used, as in "timed out after 1m0s"; else empty
	// Changed is the files that it changed, unless a later command reverted that. A
	// command without a placeholder for files may change any that rules matched.
	Changed    []string
	Idempotent bool   // a second run on the result changed nothing
	Difference string // unified diff of the second run; empty if it is idempotent
	Stdout     []byte // shortened
	Stderr     []byte // shortened
	Took       time.Duration
	ProofTook  time.Duration // of the second run; 0: there was none
}
