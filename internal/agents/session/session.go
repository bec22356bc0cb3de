// Package session models what a coding agent did: prompts, tool calls, tokens and
// phases, and counts them per visit to a phase.
//
// What a log does not state is unknown (nil, the zero time, [Unknown]), never zero,
// and what could not be read is a [Diagnostic].
package session

import (
	"cmp"
	"fmt"
	"time"
)

// Session holds the events of one conversation with an agent, or of the state directory
// of a project.
type Session struct {
	ID string `json:"id"`
	// Agent is the name of the agent: "claude", "codex", or the name in a hook journal;
	// empty if unknown.
	Agent     string `json:"agent"`
	Cwd       string `json:"cwd"`
	GitBranch string `json:"git_branch"`
	// Parent is the id of the session that this one was forked from.
	Parent string `json:"parent"`
	// Start and End are the times of the first and the last event; zero if no event has
	// a time.
	Start   time.Time  `json:"start,omitzero"`
	End     time.Time  `json:"end,omitzero"`
	Prompts []Prompt   `json:"prompts"`
	Calls   []ToolCall `json:"calls"`
	Tokens  []Tokens   `json:"tokens"`
	// TokensKnown is true if Tokens is complete, even if empty. It is false for a log of
	// calls that records no tokens.
	TokensKnown bool `json:"tokens_known"`
	// TokenSums is true if Tokens are sums of several calls of the model.
	TokenSums bool    `json:"token_sums,omitempty"`
	Phases    []Phase `json:"phases"`
	// Compactions are the times at which the agent shortened its context, and Interrupts
	// those at which a person stopped it; nil: the log does not record them.
	Compactions []Incident   `json:"compactions,omitzero"`
	Interrupts  []Incident   `json:"interrupts,omitzero"`
	Sources     []Source     `json:"sources"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Place is a line of a log, counted from 1. It is 1 in a log that is one document.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Prompt records that a person asked for something. Its text is not kept, because prompts
// hold secrets.
type Prompt struct {
	ID string    `json:"id"`
	At time.Time `json:"at,omitzero"`
	Place
}

// Incident is something that happened to a session: a compaction or an interrupt.
type Incident struct {
	ID string    `json:"id"`
	At time.Time `json:"at,omitzero"`
	Place
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

// ToolCall is one use of a tool, counted once however often it was logged.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"` // the agent's own name of the tool
	Kind Kind   `json:"kind"`
	// At is the time of the request in a transcript, and of completion in a hook journal.
	// Zero: unknown.
	At time.Time `json:"at,omitzero"`
	// End is the time of the result.
	End time.Time `json:"end,omitzero"`
	// Command is the exact text, without a wrapping shell.
	Command string `json:"command"`
	// Paths are the files of an edit or a read: absolute if the log states the working
	// directory, else as written.
	Paths     []string `json:"paths"`
	Status    Status   `json:"status"`
	ExitCode  *int     `json:"exit_code"` // nil: not stated
	Sidechain bool     `json:"sidechain"` // made by a subagent
	Place
}

// Done reports whether the log states that a command ran, with any outcome, or that an
// edit was applied.
func (c *ToolCall) Done() bool {
	if c.Kind == FileEdit {
		return c.Status == OK
	}
	return c.Status != Running && c.Status != Rejected
}

// TokenCount counts tokens by their kind. A nil number is unknown.
type TokenCount struct {
	Input      *int64 `json:"input"`  // uncached
	Output     *int64 `json:"output"` // reasoning included
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
}

// Tokens records what one call of the model's API used.
type Tokens struct {
	CallID string    `json:"call_id"`
	At     time.Time `json:"at,omitzero"`
	TokenCount
	Model     string `json:"model,omitempty"` // empty: not stated
	Sidechain bool   `json:"sidechain"`
	Place
}

// Phase is one entry into a phase of a workflow.
type Phase struct {
	Name  string    `json:"name"`
	Start time.Time `json:"start"`
	// End is stated by the log or is the start of the next phase; zero while the phase is
	// open.
	End time.Time `json:"end,omitzero"`
	// Source names where the phase is recorded: "states", "state", "archive", "workflow", or
	// the tool that entered it.
	Source string `json:"source"`
	// Workflow is the name of the workflow and WorkflowID identifies the run; empty if
	// unknown.
	Workflow   string `json:"workflow"`
	WorkflowID string `json:"workflow_id"`
	// Terminal is true for phases after the end of a workflow. No rules apply to them.
	Terminal bool `json:"terminal"`
	// Totals are the tokens of the phase if the log holds only their sum, not the time
	// of each use.
	Totals *TokenCount `json:"totals"`
	Place
}

// Source is one file that a session was read from.
type Source struct {
	File   string `json:"file"`
	Reader string `json:"reader"` // the name of the reader of its format
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"` // uncompressed
}

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
