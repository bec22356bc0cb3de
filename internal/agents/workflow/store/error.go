package store

import (
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/shell"
)

// Code classifies an [Error].
type Code string

// Every Code.
const (
	InvalidArgument Code = "invalid_argument"
	NotFound        Code = "session_not_found"
	NoneOpen        Code = "NoWorkflowLoaded"   // no run is open and none was named
	Ambiguous       Code = "session_ambiguous"  // several runs are open and none was named
	Closed          Code = "session_closed"     // finished or aborted
	Corrupt         Code = "state_corrupt"      // a file was changed by another program
	Inconsistent    Code = "state_inconsistent" // state and journal disagree
	Foreign         Code = "state_foreign"      // written by another version of rulecheck
)

// Error explains why a run is not available, and the command that helps.
type Error struct {
	Code   Code
	ID     string
	Reason string
	Fix    shell.Command // to run
	Err    error
}

func (e *Error) Error() string {
	text := e.What()
	switch {
	case e.Code == Ambiguous:
		text += "; choose one with --session"
	case e.Fix != "":
		text += "; run: " + string(e.Fix)
	}
	return text
}

// What returns the message without the command that helps.
func (e *Error) What() string {
	text := e.Reason
	if e.ID != "" {
		text = "session " + e.ID + " " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the underlying error, if any.
func (e *Error) Unwrap() error { return e.Err }

// Is reports a run that was not found as fs.ErrNotExist.
func (e *Error) Is(target error) bool {
	return target == fs.ErrNotExist && e.Code == NotFound
}
