package fact

import (
	"cmp"
	"fmt"
)

// Diagnostic reports a part of a log that could not be read.
type Diagnostic struct {
	Place // of the first line concerned

	Code    Code   `json:"code"`
	Count   int    `json:"count"` // lines, or values
	Message string `json:"message"`
	// Loss is true if events may be missing, so that a rule that did not fire on this
	// session may still be broken.
	Loss bool `json:"loss,omitempty"`
}

// String returns the diagnostic as one line: "a.jsonl:7: 3 × lines that are not JSON objects".
func (d Diagnostic) String() string {
	message := cmp.Or(d.Message, string(d.Code))
	if d.Count > 1 {
		message = fmt.Sprintf("%d × %s", d.Count, message)
	}
	switch {
	case d.File == "":
		return message
	case d.Line == 0:
		return d.File + ": " + message
	}
	return fmt.Sprintf("%s:%d: %s", d.File, d.Line, message)
}

// Code classifies diagnostics.
type Code string

// The kinds of diagnostics.
const (
	Blank         Code = "blank"          // an empty line
	Damaged       Code = "damaged"        // a line, or a document, that is not JSON
	Padded        Code = "padded"         // a byte order mark or NUL bytes around a row
	Elided        Code = "elided"         // a line so long that its long strings were cut
	TooLong       Code = "too_long"       // a line too long even so
	Unended       Code = "unended"        // a last row that is not yet, or never was, written whole
	Headless      Code = "headless"       // a log whose first rows are missing
	UnknownType   Code = "unknown_type"   // a row of an unknown type
	WrongType     Code = "wrong_type"     // a value of the wrong type
	WrongTokens   Code = "wrong_tokens"   // a number of tokens that is not a count
	UnknownTool   Code = "unknown_tool"   // a call of a tool that no table lists
	NoTime        Code = "no_time"        // an event without a readable time
	Opaque        Code = "opaque"         // a tool call whose command is unknown
	ClockOutlier  Code = "clock_outlier"  // a time more than a year from those of most rows
	Overflow      Code = "overflow"       // a sum that is larger than can be counted
	Copied        Code = "copied"         // rows that belong to another session
	Unread        Code = "unread"         // a file of a directory that is not read as a log
	Unreadable    Code = "unreadable"     // a file that could not be read to its end
	Unrecognised  Code = "unrecognised"   // a file that no reader claims
	Misnamed      Code = "misnamed"       // an archive not named after its workflow's id
	Synthetic     Code = "synthetic"      // an archive of the time between workflows, skipped
	RepeatedPhase Code = "repeated_phase" // a phase that an older archive holds, too
	UnknownPhases Code = "unknown_phases" // calls of a workflow whose answers do not name its phases
)
