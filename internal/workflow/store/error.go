package store

import "io/fs"

// Code classifies an [Error].
type Code string

// Every Code.
const (
	InvalidArgument Code = "invalid_argument"
	NotFound        Code = "session_not_found"
	Ambiguous       Code = "session_ambiguous"  // several runs are open and none was named
	Closed          Code = "session_closed"     // finished or aborted
	Corrupt         Code = "state_corrupt"      // a file was changed by another program
	Inconsistent    Code = "state_inconsistent" // state and journal disagree
	Foreign         Code = "state_foreign"      // written by another version of rulecheck
)

// Error explains why a run is not available, and the command that helps.
type Error struct {
	Code   Code   `json:"error"`
	ID     string `json:"session,omitempty"`
	Reason string `json:"reason"`
	Fix    string `json:"required_action,omitempty"` // a command to run
	Err    error  `json:"-"`
}

func (e *Error) Error() string {
	text := e.Reason
	if e.ID != "" {
		text = "session " + e.ID + " " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Fix != "" {
		text += "; run: " + e.Fix
	}
	return text
}

// Unwrap returns the underlying error, if any.
func (e *Error) Unwrap() error { return e.Err }

// Is reports a run that was not found as fs.ErrNotExist.
func (e *Error) Is(target error) bool {
	return target == fs.ErrNotExist && e.Code == NotFound
}
