package workflow

import "io/fs"

// StateCode is the kind of a [StateError].
type StateCode string

// The kinds of state errors.
const (
	InvalidArgument   StateCode = "invalid_argument"
	SessionNotFound   StateCode = "session_not_found"
	SessionAmbiguous  StateCode = "session_ambiguous"  // several are open, and none was named
	SessionClosed     StateCode = "session_closed"     // nothing happens to it any more
	StateCorrupt      StateCode = "state_corrupt"      // a file that this program has not written like that
	StateInconsistent StateCode = "state_inconsistent" // state and journal tell different things
	StateForeign      StateCode = "state_foreign"      // written by another version of this program
)

// A StateError says why a session cannot be had, and what helps.
type StateError struct {
	Code   StateCode `json:"error"`
	ID     string    `json:"session,omitempty"`
	Reason string    `json:"reason"`
	Mend   string    `json:"required_action,omitempty"` // a command to run
	Err    error     `json:"-"`
}

func (e *StateError) Error() string {
	text := e.Reason
	if e.ID != "" {
		text = "session " + e.ID + " " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Mend != "" {
		text += "; run: " + e.Mend
	}
	return text
}

// Unwrap gives the failure behind the verdict, if any.
func (e *StateError) Unwrap() error { return e.Err }

// Is makes a session that was not found fs.ErrNotExist.
func (e *StateError) Is(target error) bool {
	return target == fs.ErrNotExist && e.Code == SessionNotFound
}
