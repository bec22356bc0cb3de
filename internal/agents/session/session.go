// Package session models what a coding agent did: prompts, tool calls, tokens and
// phases, and counts them per visit to a phase.
//
// What a log does not state is unknown (nil, the zero time, [Unknown]), never zero,
// and what could not be read is a [Diagnostic].
package session

import (
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Session holds the events of one conversation with an agent, or of the state directory
// of a project.
type Session struct {
	ID string `json:"id"`
	// Agent is the name of the agent: "claude", "codex", or the name in a hook journal;
	// empty if unknown.
	Agent     string `json:"agent"`
	Cwd       string `json:"cwd"`
	GitBranch string `json:"git_branch"` // the last
	// Branches are those that the session was on, in the order of their first use, if it was on
	// several. PullRequests are the addresses of those that its log links.
	Branches     []string `json:"git_branches,omitempty"`
	PullRequests []string `json:"pull_requests,omitempty"`
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
	Compactions []Incident `json:"compactions,omitzero"`
	Interrupts  []Incident `json:"interrupts,omitzero"`
	// Decisions are those of rulecheck's hooks, but for what they allowed.
	Decisions   []Decision        `json:"decisions,omitempty"`
	Sources     []Source          `json:"sources"`
	Diagnostics []fact.Diagnostic `json:"diagnostics"`
}

// Prompt records that a person asked for something. Its text is not kept, because prompts
// hold secrets.
type Prompt struct {
	ID  string    `json:"id"`
	At  time.Time `json:"at,omitzero"`
	Old bool      `json:"-"` // see [Fresh]
	fact.Place
}

// Incident is something that happened to a session: a compaction or an interrupt.
type Incident struct {
	ID string    `json:"id"`
	At time.Time `json:"at,omitzero"`
	fact.Place
}

// Decision records that rulecheck's hooks decided on an act of the agent, other than to allow it.
type Decision struct {
	ID       string            `json:"id"`
	At       time.Time         `json:"at,omitzero"`
	Kind     fact.DecisionKind `json:"kind"`
	Rule     string            `json:"rule"`               // its id
	Tool     string            `json:"tool,omitempty"`     // empty: not about a call
	Target   string            `json:"target,omitempty"`   // the command or the files of the call
	Observed bool              `json:"observed,omitempty"` // it was recorded only
	fact.Place
}

// ToolCall is one use of a tool, counted once however often it was logged.
type ToolCall struct {
	ID   string    `json:"id"`
	Name string    `json:"name"` // the agent's own name of the tool
	Kind fact.Kind `json:"kind"`
	// At is the time of the request in a transcript, and of completion in a hook journal.
	// Zero: unknown.
	At time.Time `json:"at,omitzero"`
	// End is the time of the result.
	End time.Time `json:"end,omitzero"`
	// Command is the exact text, without a wrapping shell.
	Command string `json:"command"`
	// Paths are the files of an edit or a read: absolute if the log states the working
	// directory, else as written.
	Paths     []string    `json:"paths"`
	Status    fact.Status `json:"status"`
	ExitCode  *int        `json:"exit_code"` // nil: not stated
	Sidechain bool        `json:"sidechain"` // made by a subagent
	// Made are the commits that the output of a command of git names.
	Made []Made `json:"made,omitempty"`
	// Opaque is true if the call ran a program of the agent whose own calls are not in the log, or
	// wrote to a running command.
	Opaque bool `json:"opaque,omitempty"`
	Old    bool `json:"-"` // see [Fresh]
	fact.Place
}

// Made is a commit that a command made, as git's output names it.
type Made struct {
	Commit  string `json:"commit"` // abbreviated
	Subject string `json:"subject"`
}

// OnBranch notes that the session was on a branch.
func (s *Session) OnBranch(name string) {
	switch {
	case name == "" || name == s.GitBranch:
		return
	case s.GitBranch != "" && s.Branches == nil:
		s.Branches = []string{s.GitBranch, name}
	case s.GitBranch != "" && !slices.Contains(s.Branches, name):
		s.Branches = append(s.Branches, name)
	}
	s.GitBranch = name
}

// LinkPullRequest notes that the log links a pull request.
func (s *Session) LinkPullRequest(address string) {
	if address != "" && !slices.Contains(s.PullRequests, address) {
		s.PullRequests = append(s.PullRequests, address)
	}
}

// Done reports whether the log states that a command ran, with any outcome, or that an
// edit was applied.
func (c *ToolCall) Done() bool {
	if c.Kind == fact.FileEdit {
		return c.Status == fact.OK
	}
	return c.Status != fact.Running && c.Status != fact.Rejected
}

// Tokens records what one call of the model's API used.
type Tokens struct {
	CallID string    `json:"call_id"`
	At     time.Time `json:"at,omitzero"`
	fact.TokenCount
	Model string `json:"model,omitempty"` // empty: not stated
	// Tier names how the provider served the call, if not in its standard way: batch, priority or fast.
	Tier string `json:"tier,omitempty"`
	// Cost is the price that the log states for the call; nil: none.
	Cost *money.USD `json:"cost_usd,omitempty"`
	// Included is true if the cost of another call of the session is the sum of several, and this is one of them.
	Included  bool `json:"included,omitempty"`
	Sidechain bool `json:"sidechain"`
	Old       bool `json:"-"` // see [Fresh]
	fact.Place
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
	Totals *fact.TokenCount `json:"totals"`
	Old    bool             `json:"-"` // see [Fresh]
	fact.Place
}

// Source is one file that a session was read from.
type Source struct {
	File   string `json:"file"`
	Reader string `json:"reader"` // the name of the reader of its format
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"` // uncompressed
}
