package policy

import (
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Input is what a policy sees of one rule: the facts. Its JSON
// tags are the policies' vocabulary, and the schema that type-checks them is
// generated from it.
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

// HeadFacts is what a policy may know of what is judged.
type HeadFacts struct {
	diff.Head
	Event
}

// Event is what a run on GitHub was started for; empty anywhere else.
type Event struct {
	Name   string   `json:"event,omitempty"`  // pull_request, push, …
	Author string   `json:"author,omitempty"` // of a pull request: the login of who opened it
	Labels []string `json:"labels,omitempty"` // of a pull request
}

// Violation is a policy's answer. Anything else in the result is an error.
type Violation struct {
	Path         string             `json:"path,omitempty"`
	Line         int                `json:"line,omitempty"`
	Expected     []string           `json:"expected,omitempty"`
	Related      []finding.Location `json:"related,omitempty"`
	Message      string             `json:"message,omitempty"`
	TriggerFiles []string           `json:"trigger_files,omitempty"`
	// Reached is the least count at which the rule fires, of a mode that counts.
	Reached int64 `json:"reached,omitempty"`
}
