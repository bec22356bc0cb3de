package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// EventKind classifies an event.
type EventKind string

// Every EventKind, with the fields it uses.
const (
	EventStarted   EventKind = "started"   // Workflow, File, Target, To: always and only the first event
	EventClaimed   EventKind = "claimed"   // Claims: "workflow next" was called with these
	EventMoved     EventKind = "moved"     // Phase, To: a transition was taken
	EventCompleted EventKind = "completed" // Phase, Artifact, To: a phase was left with evidence
	EventReturned  EventKind = "returned"  // Phase, To: the session went back to the phase before
	EventRestarted EventKind = "restarted" // Phase, To: the session began again
	EventApproval  EventKind = "approval"  // ID, Decision, By: an approval was requested, given or refused
	EventWebhook   EventKind = "webhook"   // ID, Result: the result of a webhook was received
	EventAborted   EventKind = "aborted"   // no fields
	// EventChanged uses Terms, Requires, Lost, Altered: the requirements of the workflow
	// differ from those recorded before.
	EventChanged EventKind = "changed"
	// EventRefused uses Phase, Reason, Evidence, Missing: leaving a phase was refused.
	EventRefused EventKind = "refused"
	// EventFacts uses Missing: given facts that a log contradicts.
	EventFacts EventKind = "facts"
)

// Event is a change of a run.
type Event struct {
	Kind     EventKind       `json:"kind"`
	Workflow string          `json:"workflow,omitempty"`
	File     string          `json:"file,omitempty"`
	Target   string          `json:"target,omitempty"`
	Phase    string          `json:"phase,omitempty"`  // the phase left
	To       string          `json:"to,omitempty"`     // the phase entered
	Commit   string          `json:"commit,omitempty"` // HEAD when a phase was entered, or [NoCommit]
	Claims   map[string]bool `json:"claims,omitempty"`
	Artifact *Artifact       `json:"artifact,omitempty"`
	ID       string          `json:"id,omitempty"` // of the exit condition
	Decision Decision        `json:"decision,omitempty"`
	By       *By             `json:"by,omitempty"` // who gave or refused an approval
	Result   json.RawMessage `json:"result,omitempty"`

	// Terms are the digests of the requirements by phase, and Requires the requirements of
	// the phase entered, or of the current one.
	Terms    map[string]string `json:"terms,omitempty"`
	Requires []string          `json:"requires,omitempty"`
	Lost     []string          `json:"lost,omitempty"`    // requirements removed from the current phase
	Altered  []string          `json:"altered,omitempty"` // other phases with other requirements

	Reason   string         `json:"reason,omitempty"` // the kind of the refusal
	Evidence map[string]any `json:"evidence,omitempty"`
	Missing  []string       `json:"missing,omitempty"` // messages
}

// apply applies an event to the run. An impossible event is an error, after which
// the run must not be used.
func (s *Run) apply(e Event, at time.Time) error {
	if (e.Kind == EventStarted) != (s.Status == "") {
		return fmt.Errorf("event %q: a session starts once, with its first event", e.Kind)
	}
	if s.Status != "" && s.Status != Open {
		return s.closed()
	}
	switch e.Kind {
	case EventStarted:
		return s.start(e, at)
	case EventClaimed:
		s.Claims = e.Claims
	case EventMoved, EventCompleted, EventReturned, EventRestarted:
		return s.leave(e, at)
	case EventApproval:
		return s.decide(e, at)
	case EventWebhook:
		if e.ID == "" || len(e.Result) == 0 {
			return errors.New("a webhook's result needs an id and a result")
		}
		s.Webhooks = with(s.Webhooks, e.ID, e.Result)
	case EventAborted:
		s.Status = Aborted
	case EventChanged:
		s.Terms, s.Requires = e.Terms, e.Requires
		if len(e.Lost)+len(e.Altered) > 0 {
			s.Changes = append(s.Changes, Change{At: at, Phase: s.Phase, Lost: e.Lost, Altered: e.Altered})
		}
	case EventRefused:
		s.Refusals = with(s.Refusals, e.Phase, s.Refusals[e.Phase]+1)
	case EventFacts:
	default:
		return fmt.Errorf("unknown event %q", e.Kind)
	}
	return nil
}

func (s *Run) start(e Event, at time.Time) error {
	if e.Workflow == "" || e.To == "" {
		return errors.New("a session needs a workflow and a first phase")
	}
	s.Status = Open
	s.Workflow, s.File, s.Target = e.Workflow, e.File, e.Target
	s.CreatedAt = at
	s.Completed = []string{}
	s.Terms, s.Requires = e.Terms, e.Requires
	s.enter(e, at)
	return nil
}

func (s *Run) leave(e Event, at time.Time) error {
	if e.Phase != s.Phase || e.To == "" {
		return fmt.Errorf("event %q: from phase %q to %q; want the current phase, %q, and a next phase", e.Kind, e.Phase, e.To, s.Phase)
	}
	if (e.Kind == EventCompleted) != (e.Artifact != nil) {
		return fmt.Errorf("event %q: completed phases have an artifact, other events have none", e.Kind)
	}
	if e.Artifact != nil {
		if !s.HasCompleted(e.Phase) {
			s.Completed = append(s.Completed, e.Phase)
		}
		s.Artifacts = with(s.Artifacts, e.Phase, *e.Artifact)
	}
	s.Requires = e.Requires
	switch n := len(s.Visits); {
	case e.Kind == EventReturned && (n < 2 || s.Visits[n-2].Phase != e.To):
		return fmt.Errorf("event %q: to phase %q; want the phase before", e.Kind, e.To)
	case e.Kind == EventReturned:
		s.Visits = s.Visits[:n-2]
	case e.Kind == EventRestarted:
		s.Visits, s.Completed, s.Artifacts, s.Claims = nil, []string{}, nil, nil
	}
	s.enter(e, at)
	return nil
}

func (s *Run) decide(e Event, at time.Time) error {
	if e.ID == "" {
		return errors.New("an approval needs an id")
	}
	approval := Approval{Decision: e.Decision, RequestedAt: at, At: at, By: e.By}
	if before, known := s.Approvals[e.ID]; known {
		approval.RequestedAt = before.RequestedAt
	}
	switch e.Decision {
	case Requested, Approved, Rejected:
		s.Approvals = with(s.Approvals, e.ID, approval)
		return nil
	default:
		return fmt.Errorf("approval %q: decision %q; want one of %q, %q, %q", e.ID, e.Decision, Requested, Approved, Rejected)
	}
}

// with sets a value of m, which may be nil, and returns m.
func with[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}
