package phase

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Position is where a session of a workflow is.
type Position struct {
	Session  string          `json:"session_id,omitempty"`
	Workflow string          `json:"workflow,omitempty"`
	Target   string          `json:"target,omitempty"`
	Status   store.Status    `json:"status,omitempty"`
	Phase    string          `json:"current_phase,omitempty"`
	Progress *store.Progress `json:"progress,omitempty"`
}

// Artifacts are the outputs of completed phases, by phase.
type Artifacts map[string]map[string]any

// Started answers start.
type Started struct {
	Position

	Resumed        bool      `json:"resumed,omitempty"` // the session was open already
	CurrentContent *Content  `json:"current_phase_content,omitempty"`
	Artifacts      Artifacts `json:"artifacts_available,omitzero"`
	Prompt         string    `json:"prompt,omitempty"`
	Notices        []string  `json:"notices,omitempty"`
}

// Aborted answers abort.
type Aborted struct {
	Position

	Repeated bool     `json:"repeated,omitempty"` // the session had ended before
	Notices  []string `json:"notices,omitempty"`
}

// Deleted answers delete.
type Deleted struct {
	Session string `json:"deleted"`
}

// Standing is the position of a session with the content of its phase.
type Standing struct {
	Position

	CurrentContent   *Content  `json:"current_phase_content,omitempty"`
	WorkflowComplete bool      `json:"workflow_complete,omitempty"`
	Artifacts        Artifacts `json:"artifacts_available,omitzero"`
	// Vars are the values of the variables, of an open session.
	Vars map[string]any `json:"vars,omitempty"`
	// Conditions are those of the current phase.
	Conditions []Waiting `json:"conditions,omitempty"`
	Notices    []string  `json:"notices,omitempty"`
}

// Status answers status: the standing of a session with its whole state.
type Status struct {
	*Standing

	State store.Run `json:"state"`
}

// Reply answers show and the steps next, complete and continue: a refusal, a phase, a
// completed phase, or the prompt of the current one.
type Reply struct {
	Position

	Repeated bool `json:"repeated,omitempty"` // the phase was completed before with the same evidence
	// Moved reports whether a step left the phase; nil: no step was tried.
	Moved *bool `json:"moved,omitempty"`
	Rejection
	*Shown
	Completion
	Stay

	Artifacts Artifacts `json:"artifacts_available,omitzero"`
	EvidenceGap

	// Prompt is that of the current phase. Text output shows an interrupt instead.
	Prompt    string     `json:"prompt,omitempty"`
	Interrupt *Interrupt `json:"interrupt,omitempty"`
	Notices   []string   `json:"notices,omitempty"`
}

// Rejection is why a step was refused; the zero value: it was not.
type Rejection struct {
	Refused        bool                `json:"refused,omitempty"`
	Error          Refusal             `json:"error,omitempty"`
	Message        string              `json:"message,omitempty"`
	Reason         string              `json:"reason,omitempty"`
	RequiredAction string              `json:"required_action,omitempty"`
	ViolationType  store.ViolationType `json:"violation_type,omitempty"`
	RequestedPhase string              `json:"requested_phase,omitempty"`
	CurrentContent *Content            `json:"current_phase_content,omitempty"`
	Unmet          []Unmet             `json:"exit_conditions,omitempty"`
}

// Completion is the result of leaving a phase; the zero value: none was tried.
type Completion struct {
	CheckpointPassed *bool    `json:"checkpoint_passed,omitempty"`
	Completed        string   `json:"phase_completed,omitempty"`
	NextPhase        string   `json:"next_phase,omitempty"`
	NextContent      *Content `json:"next_phase_content,omitempty"`
	WorkflowComplete bool     `json:"workflow_complete,omitempty"`
}

// Stay lists the requirements that an accepted step left open in its phase; the zero value: none.
type Stay struct {
	Missing []string `json:"missing,omitempty"` // what the transitions wait for
	// UnknownClaims are the names of claims and evidence that nothing in the phase reads.
	UnknownClaims []string `json:"unknown_claims,omitempty"`
}

// EvidenceGap is the evidence that a gate still requires; the zero value: none.
type EvidenceGap struct {
	MissingEvidence []string               `json:"missing_evidence,omitempty"`
	RequiredFormat  map[string]gate.Format `json:"required_format,omitempty"`
	Examples        map[string]any         `json:"examples,omitempty"`
}

// Refusal is the kind of a refusal.
type Refusal string

// The kinds of refusals.
const (
	RefusedSequence Refusal = "phase_sequence_violation"
	RefusedEvidence Refusal = "incomplete_checkpoint"
	RefusedExit     Refusal = "exit_conditions_unmet"
	RefusedStay     Refusal = "no_transition" // the evidence passes, but no transition applies
	RefusedClosed   Refusal = "session_closed"
	RefusedStep     Refusal = "step_not_allowed" // the workflow does not allow it, or there is no phase before
)

// Content is the content of a phase.
type Content struct {
	Number int    `json:"phase_number"` // from 1 in the order of the file; 0: done
	Name   string `json:"phase"`
	workflow.Content

	// Criteria lists the requirements of the gate; nil: none.
	Criteria *gate.Criteria `json:"checkpoint_criteria,omitempty"`
}

// Shown is the phase that show was asked for.
type Shown struct {
	Content

	FromPrevious Artifacts      `json:"artifacts_from_previous"` // of the current phase only
	Criteria     *gate.Criteria `json:"checkpoint_criteria"`     // nil: the phase asks for nothing
}

// Unmet is a condition that keeps a phase from being left.
type Unmet struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"` // condition, approval, webhook, variable or commits
	Reason string `json:"reason"`
}

// Interrupt replaces the prompt when a rule fires.
type Interrupt struct {
	Text string `json:"text"`
	Rule string `json:"rule"`
	finding.SessionProperties
}

// positionOf returns the position of a session.
func positionOf(d *workflow.Definition, s *store.Run) Position {
	progress := s.Progress(d.Names())
	return Position{Session: s.ID, Workflow: s.Workflow, Target: s.Target, Status: s.Status, Phase: s.Phase, Progress: &progress}
}

// contentOf returns the content of a phase.
func contentOf(d *workflow.Definition, p *workflow.Phase) *Content {
	c := &Content{Number: slices.Index(d.Names(), p.Name) + 1, Name: p.Name, Content: workflow.NewContent(p.Prompt, p.Sources...)}
	if p.Gate != nil {
		criteria := p.Gate.Criteria()
		c.Criteria = &criteria
	}
	return c
}

// artifactsOf returns the outputs of the completed phases.
func artifactsOf(s *store.Run) Artifacts {
	outputs := Artifacts{}
	for phase, a := range s.Artifacts {
		outputs[phase] = a.Outputs
	}
	return outputs
}

// addNotices adds notices to a reply, each once.
func (r *Reply) addNotices(notices ...string) {
	for _, text := range notices {
		if !slices.Contains(r.Notices, text) {
			r.Notices = append(r.Notices, text)
		}
	}
}
