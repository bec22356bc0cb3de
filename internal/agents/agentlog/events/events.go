// Package events reads and writes rulecheck.events/v1, the form of logs that belongs to no
// agent: one JSON object per line, for one event of a session.
//
// Source: docs/sessions.md defines the form.
package events

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Schema names the format and its version.
const Schema = "rulecheck.events/v1"

// The types of rows.
const (
	typeSession    = "session"
	typePrompt     = "prompt"
	typeCall       = "call"
	typeTokens     = "tokens"
	typePhase      = "phase"
	typeCompaction = "compaction"
	typeInterrupt  = "interrupt"
	typeDiagnostic = "diagnostic"
)

// Head begins every row.
type Head struct {
	Type string `json:"type"`
	// Session names the session of the row within the file. A diagnostic without a session
	// concerns a log without a known session.
	Session string `json:"session,omitempty"`
}

// Session is the first row of a session.
type Session struct {
	Type    string `json:"type"`
	Session string `json:"session"`
	Schema  string `json:"schema"`

	ID        string `json:"id,omitempty"` // empty: the session's name in the file
	Agent     string `json:"agent,omitempty"`
	Cwd       string `json:"cwd,omitempty"`
	GitBranch string `json:"git_branch,omitempty"`
	Parent    string `json:"parent,omitempty"`
	// Branches are all branches of the session, if there were several, and PullRequests the addresses of
	// those that it links.
	Branches     []string `json:"git_branches,omitempty"`
	PullRequests []string `json:"pull_requests,omitempty"`
	// Start and End are the first and the last time of the session; null: they are not known.
	// A row without them leaves them to the events.
	Start *time.Time `json:"start"`
	End   *time.Time `json:"end"`
	// TokensKnown is true if the tokens of all API calls are recorded, also if there are none.
	TokensKnown bool `json:"tokens_known,omitempty"`
	// TokenSums is true if rows of tokens are sums of several API calls.
	TokenSums bool `json:"token_sums,omitempty"`
	// IncidentsKnown is true if all compactions and interrupts are recorded, also if there
	// are none.
	IncidentsKnown bool `json:"incidents_known,omitempty"`
}

// Prompt is a row for something that a person asked for.
type Prompt struct {
	Head
	session.Prompt
}

// Call is a row for one call of a tool.
type Call struct {
	Head
	session.ToolCall
}

// Tokens is a row for one call of the model's API.
type Tokens struct {
	Head
	session.Tokens
}

// Phase is a row for one entry into a phase of a workflow.
type Phase struct {
	Head
	session.Phase
}

// Incident is a row for a compaction or an interrupt.
type Incident struct {
	Head
	session.Incident
}

// Diagnostic is a row for a part of the original log that could not be read.
type Diagnostic struct {
	Head
	fact.Diagnostic
}
