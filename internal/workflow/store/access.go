package store

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Progress says how far a session has come.
type Progress struct {
	Completed []string `json:"completed"` // never nil
	Current   string   `json:"current"`
	Total     int      `json:"total"` // phases of the workflow, Done not among them
}

// Progress takes the names of the workflow's phases.
func (s *Run) Progress(phases []string) Progress {
	return Progress{Completed: append([]string{}, s.Completed...), Current: s.Phase, Total: len(phases)}
}

// ViolationType says how a request is out of sequence.
type ViolationType string

// The ways to be out of sequence.
const (
	AttemptedSkip    ViolationType = "attempted_skip"    // of a phase not yet entered, or of none
	AlreadyCompleted ViolationType = "already_completed" // completing again what has been left
)

// A SequenceError refuses a phase that is not open. With the content of the
// current phase and the artifacts it is the refusal that agents are shown.
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

// MayShow is nil if the content of a phase may be delivered, which is that of the
// current phase and of completed ones; else a *[SequenceError]. Phases are the
// names of the workflow's.
func (s *Run) MayShow(phase string, phases []string) error {
	if phase == s.Phase || s.HasCompleted(phase) {
		return nil
	}
	return s.refuse("access", phase, phases)
}

// MayComplete is nil if a phase may be left, which is the current one of an open
// session; else a *[SequenceError], or a *[Error] for an aborted session.
func (s *Run) MayComplete(phase string, phases []string) error {
	switch {
	case s.Status == Aborted:
		return s.closed()
	case phase != s.Phase || s.Status == Finished:
		return s.refuse("complete", phase, phases)
	}
	return nil
}

// Repeats reports whether completing a phase with that evidence has already been
// done and nothing of the phase since, so that a call made twice can be answered
// as it was the first time. The evidence is as encoding/json decodes it.
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

// closed refuses what needs an open session.
func (s *Run) closed() error {
	return &Error{Code: Closed, ID: s.ID, Reason: "is " + string(s.Status), Fix: "rulecheck workflow start " + s.Workflow}
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
		e.RequiredAction = "Start the workflow anew: every phase is behind this session"
	case Aborted:
		e.RequiredAction = "Start the workflow anew: this session was aborted"
	case Open:
	}
	return e
}
