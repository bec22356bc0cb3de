package store

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/workflow"
)

// Status says whether there is anything left to do in a session.
type Status string

// The states of a session.
const (
	Open     Status = "open"
	Finished Status = "done"
	Aborted  Status = "aborted"
)

// A Run is one way through a workflow, as it stands. It is what the events
// of its journal come to, and nothing else.
type Run struct {
	ID string `json:"id"`
	// Revision counts the records of the journal.
	Revision  uint64    `json:"revision"`
	Status    Status    `json:"status"`
	Workflow  string    `json:"workflow"`
	File      string    `json:"file"`       // the workflow's, from the root, with slashes
	Target    string    `json:"target"`     // what is worked on, likewise; empty: nothing in particular
	Phase     string    `json:"phase"`      // the current one
	EnteredAt time.Time `json:"entered_at"` // when this visit of it began
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Completed are the phases left with evidence, in the order of their first
	// completion. One of them that is entered again stays completed.
	Completed []string `json:"completed"`
	// Artifacts are what completed phases left, by phase; the latest of each.
	Artifacts map[string]Artifact `json:"artifacts,omitempty"`
	// Claims are those of the last next.
	Claims map[string]bool `json:"claims,omitempty"`
	// Approvals and Webhooks are what came in during this visit, by the id of
	// the condition that waits for it.
	Approvals map[string]Approval        `json:"approvals,omitempty"`
	Webhooks  map[string]json.RawMessage `json:"webhooks,omitempty"`
}

// HasCompleted reports whether a phase was ever left with evidence.
func (s *Run) HasCompleted(phase string) bool { return slices.Contains(s.Completed, phase) }

// Decision is the answer to a request for approval.
type Decision string

// The answers to a request for approval.
const (
	Requested Decision = "requested" // none yet
	Approved  Decision = "approved"
	Rejected  Decision = "rejected"
)

// An Approval is a request for a person's consent, and the answer.
type Approval struct {
	Decision    Decision  `json:"decision"`
	RequestedAt time.Time `json:"requested_at"` // first, in this visit
	At          time.Time `json:"at"`           // of the decision
}

// enter begins a visit, in which nothing has come in yet.
func (s *Run) enter(phase string, at time.Time) {
	s.Phase, s.EnteredAt = phase, at
	s.Approvals, s.Webhooks = nil, nil
	if phase == workflow.Done {
		s.Status = Finished
	}
}
