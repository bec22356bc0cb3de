package store

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
)

// Status reports whether a run goes on.
type Status string

// Every Status.
const (
	Open     Status = "open"
	Finished Status = "done"
	Aborted  Status = "aborted"
)

// Run is the state of one execution of a workflow, called a session in commands
// and in JSON. It follows from the events of its journal alone.
type Run struct {
	ID string `json:"id"`
	// Revision is the number of records in the journal.
	Revision  uint64    `json:"revision"`
	Status    Status    `json:"status"`
	Workflow  string    `json:"workflow"`
	File      string    `json:"file"`       // of the workflow, from the root, with slashes
	Target    string    `json:"target"`     // path of the file to work on, likewise; empty: none
	Phase     string    `json:"phase"`      // the current phase
	EnteredAt time.Time `json:"entered_at"` // when the current visit began
	// Visits are the last visits of phases, the current one included; none if an earlier version
	// of the program entered the current phase.
	Visits    []Visit   `json:"visits,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Completed lists the phases left with evidence, in the order of their first
	// completion. A phase that is entered again stays completed.
	Completed []string `json:"completed"`
	// Artifacts maps each completed phase to its latest artifact.
	Artifacts map[string]Artifact `json:"artifacts,omitempty"`
	// Claims holds the claims of the last "workflow next".
	Claims map[string]bool `json:"claims,omitempty"`
	// Approvals and Webhooks hold what was received during the current visit, by
	// the id of the exit condition.
	Approvals map[string]Approval        `json:"approvals,omitempty"`
	Webhooks  map[string]json.RawMessage `json:"webhooks,omitempty"`
	// Terms are the digests of the requirements by phase, and Requires those of the
	// current phase, as last recorded.
	Terms    map[string]string `json:"terms,omitempty"`
	Requires []string          `json:"requires,omitempty"`
	// Changes lists when requirements were removed or changed while the run was open.
	Changes []Change `json:"changes,omitempty"`
	// Refusals counts the refused attempts to leave each phase.
	Refusals map[string]int `json:"refusals,omitempty"`
}

// Change reports that the workflow was edited while a run was open.
type Change struct {
	At      time.Time `json:"at"`    // of the step that found it
	Phase   string    `json:"phase"` // the current one
	Lost    []string  `json:"lost,omitempty"`
	Altered []string  `json:"altered,omitempty"` // other phases with other requirements
}

// HasCompleted reports whether a phase was ever completed.
func (s *Run) HasCompleted(phase string) bool { return slices.Contains(s.Completed, phase) }

// Decision is the state of a request for approval.
type Decision string

// Every Decision.
const (
	Requested Decision = "requested" // no answer yet
	Approved  Decision = "approved"
	Rejected  Decision = "rejected"
)

// Approval is a request for approval and the answer.
type Approval struct {
	Decision    Decision  `json:"decision"`
	RequestedAt time.Time `json:"requested_at"` // the first request of the visit
	At          time.Time `json:"at"`           // of the last decision
	By          *By       `json:"by,omitempty"` // of the last decision; nil: it is a request, or was not recorded
}

// By is how a decision reached the program. It is no proof: who can run a command can have a
// terminal made, and change its environment.
type By struct {
	Terminal bool   `json:"terminal"`        // it was typed at one
	Agent    string `json:"agent,omitempty"` // whose session the command ran in, as its environment shows
}

// String describes it for people.
func (b By) String() string {
	text := map[bool]string{true: "at a terminal", false: "not at a terminal"}[b.Terminal]
	if b.Agent != "" {
		text += ", in a session of " + b.Agent
	}
	return text
}

// Visit is one visit of a phase.
type Visit struct {
	Phase  string    `json:"phase"`
	At     time.Time `json:"at"`     // when it began
	Commit string    `json:"commit"` // HEAD at that time, or [NoCommit]
}

// NoCommit is the commit of a visit that began before the first commit.
const NoCommit = "none"

// maxVisits limits the visits that a state holds.
const maxVisits = 100

// Previous returns the phase before the current one, or "" if no phase came before or it is unknown.
func (s *Run) Previous() string {
	if n := len(s.Visits); n > 1 {
		return s.Visits[n-2].Phase
	}
	return ""
}

// enter begins a visit of a phase, without approvals and webhook results.
func (s *Run) enter(e Event, at time.Time) {
	s.Phase, s.EnteredAt = e.To, at
	s.Approvals, s.Webhooks = nil, nil
	if e.Commit == "" { // of an earlier version
		s.Visits = nil
	} else {
		s.Visits = append(s.Visits, Visit{Phase: e.To, At: at, Commit: e.Commit})
		s.Visits = s.Visits[max(0, len(s.Visits)-maxVisits):]
	}
	if e.To == workflow.Done {
		s.Status = Finished
	}
}
