package policy

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Input holds the facts that a policy sees of one rule. Its JSON tags are the names that
// policies use, and the schema that type-checks policies is generated from them. A field
// with omitempty is an error where a mode asks for it and it is empty.
type Input struct {
	Rule            rule.Info                         `json:"rule"`
	Base            diff.Base                         `json:"base"`
	Head            HeadFacts                         `json:"head"`
	Changes         []diff.Change                     `json:"changes"`
	Matches         map[string][]correspondence.Match `json:"matches"`
	Correspondences []correspondence.Correspondence   `json:"correspondences"`
	PR              diff.PullRequest                  `json:"pr"`
	Now             string                            `json:"now,omitempty"` // RFC 3339

	establish.Made // by the names of [establish.Facts]

	Session *SessionFacts `json:"session,omitempty"`
	Visit   *VisitFacts   `json:"visit,omitempty"`
	Metrics *fact.Metrics `json:"metrics,omitempty"`

	Coverage *fact.Coverage `json:"coverage,omitempty"`

	Event     string          `json:"event,omitempty"`
	ToolName  string          `json:"tool_name,omitempty"`
	ToolInput any             `json:"tool_input,omitempty"`
	MCP       *MCPFacts       `json:"mcp,omitempty"`
	Command   *fact.ShellLine `json:"command,omitempty"`
	Call      *CallFacts      `json:"call,omitempty"`
}

// MCPFacts name a tool of an MCP server; empty for any other tool.
type MCPFacts struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// The answers of a match, where the line of a call may not show all.
const (
	AnswerYes   = "yes"
	AnswerMaybe = "maybe"
	AnswerNo    = "no"
)

// CallFacts hold the matches of one rule's parameters in a tool call.
type CallFacts struct {
	Named     bool              `json:"named"`     // tools and mcp_tools name the tool
	Condition string            `json:"condition"` // whether the rule's condition holds; yes without one
	Commands  []CommandFact     `json:"commands"`  // of the call's shell line; of one that does not parse also the line itself
	Writes    []WriteFact       `json:"writes"`    // files that the call writes
	Opaque    []fact.OpaquePart `json:"opaque"`    // the parts of the line that cannot be read
}

// CommandFact is a simple command.
type CommandFact struct {
	Text     string `json:"text"`
	Matches  string `json:"matches"`  // command_pattern; yes without one
	Excluded string `json:"excluded"` // command_not_pattern; no without one
}

// WriteFact is a written file.
type WriteFact struct {
	Path    string `json:"path"`
	Matches string `json:"matches"` // paths
}

// HeadFacts describe what is checked.
type HeadFacts struct {
	diff.Head
	GitHubEvent
}

// GitHubEvent describes the event that started a run on GitHub; empty anywhere else.
type GitHubEvent struct {
	Name   string   `json:"event,omitempty"`  // pull_request, push, …
	Author string   `json:"author,omitempty"` // of a pull request: the login of its author
	Labels []string `json:"labels,omitempty"` // of a pull request
}

// SessionFacts describe a session. What its log does not state is empty.
type SessionFacts struct {
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	Cwd       string `json:"cwd"`
	GitBranch string `json:"git_branch"`
}

// VisitFacts describe a visit of a phase.
type VisitFacts struct {
	Index    int       `json:"index"` // of the session's visits, from 0
	Phase    string    `json:"phase"` // empty: the session has no phases
	Workflow string    `json:"workflow"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Open     bool      `json:"open"` // the log ends before the visit does
}

// Violation is one result of a policy. A result with anything else is an error.
type Violation struct {
	Path         string             `json:"path,omitempty"`
	Line         int                `json:"line,omitempty"`
	Column       int                `json:"column,omitempty"`
	Expected     []string           `json:"expected,omitempty"`
	Related      []finding.Location `json:"related,omitempty"`
	Message      string             `json:"message,omitempty"`
	TriggerFiles []string           `json:"trigger_files,omitempty"`
	// Reached is the lowest count at which the rule fires, for modes that count.
	Reached int64 `json:"reached,omitempty"`
	// Effect is allow, warn, ask or deny, for modes that check tool calls.
	Effect string `json:"effect,omitempty"`
	// Opaque reports that the call was not read in full, and may not be what the rule is about.
	Opaque bool `json:"opaque,omitempty"`
}
