package store

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/rulecheck/rulecheck/internal/shell"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Progress counts the phases of a run.
type Progress struct {
	Completed []string `json:"completed"` // never nil
	Current   string   `json:"current"`
	Total     int      `json:"total"` // phases of the workflow, without [workflow.Done]
}

// Progress returns the progress of a run. Phases are the names of the workflow's
// phases.
func (s *Run) Progress(phases []string) Progress {
	return Progress{Completed: append([]string{}, s.Completed...), Current: s.Phase, Total: len(phases)}
}

// ViolationType classifies a request that is out of sequence.
type ViolationType string

// Every ViolationType.
const (
	AttemptedSkip    ViolationType = "attempted_skip"    // a phase not entered yet, or unknown
	AlreadyCompleted ViolationType = "already_completed" // completing a phase again
)

// SequenceError rejects a request for a phase that is not accessible. Agents get
// it with the content of the current phase and the artifacts.
type SequenceError struct {
	Code           string        `json:"error"` // phase_sequence_violation
	Message        string        `json:"message"`
	Reason         string        `json:"reason"`
	RequiredAction string        `json:"required_action"`
	ViolationType  ViolationType `json:"violation_type"`
	RequestedPhase string        `json:"requested_phase"`
	CurrentPhase   string        `json:"current_phase"`
	Progress       Progress      `json:"progress"`
}

func (e *SequenceError) Error() string {
	return e.Message + ": " + e.Reason + "; " + e.RequiredAction
}

// MayShow returns nil if the content of a phase may be shown, which holds for the
// current phase and completed ones, else a *[SequenceError]. Phases are the names
// of the workflow's phases.
func (s *Run) MayShow(phase string, phases []string) error {
	if phase == s.Phase || s.HasCompleted(phase) {
		return nil
	}
	return s.refuse("access", phase, phases)
}

// MayComplete returns nil if a phase may be completed, which holds for the current
// phase of an open run, else a *[SequenceError], or an *[Error] if the run was
// aborted.
func (s *Run) MayComplete(phase string, phases []string) error {
	switch {
	case s.Status == Aborted:
		return s.closed()
	case phase != s.Phase || s.Status == Finished:
		return s.refuse("complete", phase, phases)
	}
	return nil
}

// Repeats reports whether the phase was last completed with the same evidence, so
// that a repeated call gets the same answer. The evidence is decoded by
// encoding/json.
func (s *Run) Repeats(phase string, evidence map[string]any) bool {
	artifact, known := s.Artifacts[phase]
	if !known || phase == s.Phase {
		return false
	}
	if len(artifact.Evidence) == 0 && len(evidence) == 0 {
		return true // nil or not
	}
	before, err := json.Marshal(artifact.Evidence)
	now, err2 := json.Marshal(evidence)
	return err == nil && err2 == nil && bytes.Equal(before, now)
}

// closed returns the error for operations that need an open run.
func (s *Run) closed() error {
	return &Error{Code: Closed, ID: s.ID, Reason: "is " + string(s.Status), Fix: shell.Line("rulecheck", "workflow", "start", s.Workflow)}
}

func (s *Run) refuse(verb, phase string, phases []string) error {
	e := &SequenceError{
		Code: "phase_sequence_violation", ViolationType: AttemptedSkip,
		Message: "Cannot " + verb + " Phase " + phase, Reason: "Currently on Phase " + s.Phase,
		RequiredAction: "Complete Phase " + s.Phase + " checkpoint first",
		RequestedPhase: phase, CurrentPhase: s.Phase, Progress: s.Progress(phases),
	}
	switch {
	case s.HasCompleted(phase):
		e.ViolationType = AlreadyCompleted
		e.Reason += "; Phase " + phase + " is already completed"
	case !slices.Contains(phases, phase):
		e.Reason += "; there is no Phase " + phase + suggest.OneOf(phase, phases)
	}
	switch s.Status {
	case Finished:
		e.RequiredAction = "Start the workflow again: this session has completed every phase"
	case Aborted:
		e.RequiredAction = "Start the workflow again: this session was aborted"
	case Open:
	}
	return e
}
