// Package fact holds the plain types of what agents did: the facts that policies read,
// findings carry and reports print. internal/agents fills them; this package only names
// them, so that a check of a change needs no reader of logs.
//
// What a log does not state is nil, the zero time or empty, never zero:
//
//	used := fact.TokenCount{Input: &n} // the output is unknown
package fact

import (
	"time"
)

// Place is a line of a log, counted from 1. It is 1 in a log that is one document.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Kind classifies tool calls by what they do.
type Kind string

// The kinds of tool calls.
const (
	Command  Kind = "command"
	FileEdit Kind = "file_edit"
	Read     Kind = "read"
	MCP      Kind = "mcp"
	Other    Kind = "other"
)

// Event is a command or an edit that was counted.
type Event struct {
	At   time.Time `json:"at,omitzero"`
	Tool string    `json:"tool,omitempty"` // of an edit: the agent's name of the tool
	Text string    `json:"text"`           // the command, or the path in the project
}

// Metrics holds the result of a measure. Its texts are shortened and masked.
type Metrics struct {
	Of    string `json:"of,omitempty"` // what is counted, as the mode declares
	Count int64  `json:"count"`
	// Total is the number of commands if Count is their failure rate, in millionths; 0: it is not.
	Total int64 `json:"total,omitempty"`
	// Over is the day, the user or the branch whose sessions are added up; empty: one visit or session.
	Over string `json:"over,omitempty"`
	// At is the time of the count: live, now; in an audit, when the count was first
	// reached. Zero: nothing was counted, or the time is unknown.
	At time.Time `json:"at,omitzero"`
	// Subjects are the first ten distinct commands or paths of the window; Distinct counts
	// all.
	Subjects []string `json:"subjects"`
	Distinct int64    `json:"distinct"`
	// Events are the last five events of the window that count, oldest first.
	Events []Event     `json:"events"`
	Tokens *TokenCount `json:"tokens,omitempty"` // nil: not asked for, or not known
	Start  time.Time   `json:"start,omitzero"`   // of the visit
	End    time.Time   `json:"end,omitzero"`     // of the visit, or its last event
	// Incomplete gives the reasons why the count may be too low; empty: it is exact.
	Incomplete string `json:"incomplete"`
}

// Status is the outcome of a tool call.
type Status string

// The outcomes of tool calls. A rejected call was requested and not made; a running one
// was requested and has no result in the log.
const (
	OK       Status = "ok"
	Error    Status = "error"
	Rejected Status = "rejected"
	Running  Status = "running"
	Unknown  Status = "unknown"
)
