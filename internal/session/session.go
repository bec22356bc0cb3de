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

// A Session is what one agent did in one conversation, or in one project's
// state directory.
type Session struct {
	ID string `json:"id"`
	// Agent is the agent's name: "claude", "codex", or what a hook journal
	// calls it; empty when the log does not say.
	Agent     string `json:"agent"`
	Cwd       string `json:"cwd"`
	GitBranch string `json:"git_branch"`
	// Parent is the id of the session that this one was forked from.
	Parent string `json:"parent"`
	// Start and End are the times of the first and the last event; zero when
	// no event has a time.
	Start   time.Time  `json:"start,omitzero"`
	End     time.Time  `json:"end,omitzero"`
	Prompts []Prompt   `json:"prompts"`
	Calls   []ToolCall `json:"calls"`
	Tokens  []Tokens   `json:"tokens"`
	// TokensKnown says that Tokens are all there were, none included; a log
	// of calls without a word of tokens leaves them unknown.
	TokensKnown bool         `json:"tokens_known"`
	Phases      []Phase      `json:"phases"`
	Sources     []Source     `json:"sources"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// A Place is a line of a log. Line counts from 1; in a log that is one
// document it is 1.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Prompt is something a human asked for. Its text is not kept, because
// prompts hold secrets.
type Prompt struct {
	ID string    `json:"id"`
	At time.Time `json:"at,omitzero"`
	Place
}

// Kind is what a tool call does.
type Kind string

// The kinds of tool calls.
const (
	Command  Kind = "command"
	FileEdit Kind = "file_edit"
	Read     Kind = "read"
	MCP      Kind = "mcp"
	Other    Kind = "other"
)

// Status is how a tool call ended.
type Status string

// The ends of a tool call. A rejected call was asked for and not made; a
// running one was asked for and the log holds no answer.
const (
	OK       Status = "ok"
	Error    Status = "error"
	Rejected Status = "rejected"
	Running  Status = "running"
	Unknown  Status = "unknown"
)

// A ToolCall is one use of a tool, counted once however often it was logged.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"` // the agent's own name of the tool
	Kind Kind   `json:"kind"`
	// At places the call in time: when it was asked for in a transcript, when
	// it completed in a hook journal, which is written then. Zero: unknown.
	At time.Time `json:"at,omitzero"`
	// End is when the result came.
	End time.Time `json:"end,omitzero"`
	// Command is the exact text; a shell wrapper around it is taken off.
	Command string `json:"command"`
	// Paths are the files of an edit or a read: absolute where the log says
	// where it was, else as written.
	Paths     []string `json:"paths"`
	Status    Status   `json:"status"`
	ExitCode  *int     `json:"exit_code"` // nil: not stated
	Sidechain bool     `json:"sidechain"` // made by a subagent
	Place
}

// Done reports whether the log says that a command ran, however it ended, or that
// an edit was applied.
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
	Sidechain bool `json:"sidechain"`
	Place
}

// A Phase is one entry into a phase of a workflow.
type Phase struct {
	Name  string    `json:"name"`
	Start time.Time `json:"start"`
	// End is when the next phase began, or where a log states it; zero while
	// the phase is open.
	End time.Time `json:"end,omitzero"`
	// Source says how the phase is known: "states", "archive", or the name of
	// the tool that moved to it.
	Source string `json:"source"`
	// Workflow is the name of the workflow, WorkflowID the run of it; empty
	// when the log does not say.
	Workflow   string `json:"workflow"`
	WorkflowID string `json:"workflow_id"`
	// Terminal phases follow a workflow's end; nothing is judged in them.
	Terminal bool `json:"terminal"`
	// Totals are the tokens of the phase where the log holds only their sum;
	// when each was used is then unknown.
	Totals *TokenCount `json:"totals"`
	Place
}

// A Source is one file that a session was read from.
type Source struct {
	File   string `json:"file"`
	Reader string `json:"reader"` // the name of the reader that knew the format
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"` // unpacked
}

// A Diagnostic says what could not be read, and where.
type Diagnostic struct {
	Place // of the first line it speaks of

	Code    Code   `json:"code"`
	Count   int    `json:"count"` // lines, or values
	Message string `json:"message"`
	// Loss says that events may be missing: a rule that did not fire on this
	// session has not been shown to hold.
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

// Code is the kind of a diagnostic.
type Code string

// The kinds of diagnostics.
const (
	Blank         Code = "blank"          // an empty line
	Damaged       Code = "damaged"        // a line, or a document, that is not JSON
	Padded        Code = "padded"         // a byte order mark or NUL bytes around a row
	Elided        Code = "elided"         // a line so long that its long strings were cut
	TooLong       Code = "too_long"       // a line too long even so
	UnknownType   Code = "unknown_type"   // a row of a type no reader knows
	WrongType     Code = "wrong_type"     // a value of the wrong type
	NoTime        Code = "no_time"        // an event without a readable time
	Opaque        Code = "opaque"         // a tool call whose command cannot be known
	Unreadable    Code = "unreadable"     // a file that could not be read to its end
	Unrecognised  Code = "unrecognised"   // a file no reader claims
	Misnamed      Code = "misnamed"       // an archive whose name is not its workflow's id
	Synthetic     Code = "synthetic"      // an archive made up between workflows, left out
	RepeatedPhase Code = "repeated_phase" // a phase that an older archive holds already
)
