package policy

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
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
	Now             string                            `json:"now,omitempty"` // RFC 3339

	Session *SessionFacts    `json:"session,omitempty"`
	Visit   *VisitFacts      `json:"visit,omitempty"`
	Metrics *session.Metrics `json:"metrics,omitempty"`
}

// HeadFacts describe what is checked.
type HeadFacts struct {
	diff.Head
	Event
}

// Event describes what started a run on GitHub; empty anywhere else.
type Event struct {
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
	Expected     []string           `json:"expected,omitempty"`
	Related      []finding.Location `json:"related,omitempty"`
	Message      string             `json:"message,omitempty"`
	TriggerFiles []string           `json:"trigger_files,omitempty"`
	// Reached is the lowest count at which the rule fires, for modes that count.
	Reached int64 `json:"reached,omitempty"`
}
