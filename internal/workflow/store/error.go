package store

import "io/fs"

// Code is the kind of a [Error].
type Code string

// The kinds of state errors.
const (
	InvalidArgument Code = "invalid_argument"
	NotFound        Code = "session_not_found"
	Ambiguous       Code = "session_ambiguous"  // several are open, and none was named
	Closed          Code = "session_closed"     // nothing happens to it any more
	Corrupt         Code = "state_corrupt"      // a file that this program has not written like that
	Inconsistent    Code = "state_inconsistent" // state and journal tell different things
	Foreign         Code = "state_foreign"      // written by another version of this program
)

// A Error says why a session cannot be had, and what helps.
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

// Unwrap gives the failure behind the verdict, if any.
func (e *Error) Unwrap() error { return e.Err }

// Is makes a session that was not found fs.ErrNotExist.
func (e *Error) Is(target error) bool {
	return target == fs.ErrNotExist && e.Code == NotFound
}
