package diff

import (
	"errors"

	"github.com/rulecheck/rulecheck/internal/shell"
)

// NoVerdictError reports that a change cannot be determined in this repository as it is,
// so that the result of a check would be unfounded.
type NoVerdictError struct {
	Reason string
	Fix    shell.Command // the command that resolves it; empty if none is known
	Err    error         // git's own error, if that was the cause
	Lacks  bool          // the repository lacks an object, which other questions may not need
}

func (e *NoVerdictError) Error() string {
	if e.Fix == "" {
		return e.Reason
	}
	return e.Reason + "; run: " + string(e.Fix)
}

// Unwrap returns git's error behind the verdict, if any.
func (e *NoVerdictError) Unwrap() error { return e.Err }

// AllowLazyFetch is the command that checks a partial clone.
const AllowLazyFetch shell.Command = "rulecheck --allow-lazy-fetch"

// ErrNeedsGit is wrapped by a *NoVerdictError for a question that only the git program
// answers exactly.
var ErrNeedsGit = errors.New("needs the git program")

// NeedsGit returns the *NoVerdictError for a shape of repository, or a question, that only
// the git program handles.
func NeedsGit(shape string) error {
	return &NoVerdictError{
		Reason: shape + " " + ErrNeedsGit.Error() + ": install git 2.31 or newer",
		Fix:    "rulecheck --git program",
		Err:    ErrNeedsGit,
	}
}
