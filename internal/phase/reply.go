package phase

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// Reply is the answer to a step of a workflow. What does not belong to the
// answer is absent.
type Reply struct {
	Session  string          `json:"session_id,omitempty"`
	Workflow string          `json:"workflow,omitempty"`
	Target   string          `json:"target,omitempty"`
	Status   store.Status    `json:"status,omitempty"`
	Phase    string          `json:"current_phase,omitempty"`
	Progress *store.Progress `json:"progress,omitempty"`
	Resumed  bool            `json:"resumed,omitempty"`  // a session that was there already
	Repeated bool            `json:"repeated,omitempty"` // nothing happened: it had happened before

	// Refused says that nothing of what was asked for came about, and why.
	Refused        bool                `json:"refused,omitempty"`
	Error          Refusal             `json:"error,omitempty"`
	Message        string              `json:"message,omitempty"`
	Reason         string              `json:"reason,omitempty"`
	RequiredAction string              `json:"required_action,omitempty"`
	ViolationType  store.ViolationType `json:"violation_type,omitempty"`
	RequestedPhase string              `json:"requested_phase,omitempty"`
	CurrentContent *Content            `json:"current_phase_content,omitempty"`
	Unmet          []Unmet             `json:"exit_conditions,omitempty"`

	// Shown is the phase that was asked for.
	*Shown

	CheckpointPassed *bool    `json:"checkpoint_passed,omitempty"`
	Completed        string   `json:"phase_completed,omitempty"`
	NextPhase        string   `json:"next_phase,omitempty"`
	NextContent      *Content `json:"next_phase_content,omitempty"`
	WorkflowComplete bool     `json:"workflow_complete,omitempty"`
	// Artifacts are what the completed phases hand on, by phase.
	Artifacts map[string]map[string]any `json:"artifacts_available,omitempty"`

	MissingEvidence []string               `json:"missing_evidence,omitempty"`
	RequiredFormat  map[string]gate.Format `json:"required_format,omitempty"`
	Examples        map[string]any         `json:"examples,omitempty"`

	// Prompt is that of the current phase. With an interrupt, people are shown
	// that in its place.
	Prompt    string     `json:"prompt,omitempty"`
	Interrupt *Interrupt `json:"interrupt,omitempty"`
	Notices   []string   `json:"notices,omitempty"`
}

// Refusal is the kind of a refusal.
type Refusal string

// The kinds of refusals.
const (
	RefusedSequence Refusal = "phase_sequence_violation"
	RefusedEvidence Refusal = "incomplete_checkpoint"
	RefusedExit     Refusal = "exit_conditions_unmet"
	RefusedStay     Refusal = "no_transition" // complete, and nothing leads on
	RefusedClosed   Refusal = "session_closed"
)

// Content is the content of a phase.
type Content struct {
	Number int    `json:"phase_number"` // from 1 in the order of the file; 0: done
	Name   string `json:"phase"`
	workflow.Content
}

// Shown is a phase as show gives it.
type Shown struct {
	Content

	FromPrevious map[string]map[string]any `json:"artifacts_from_previous"` // of the current phase only
	Criteria     *gate.Criteria            `json:"checkpoint_criteria"`     // nil: the phase asks for nothing
}

// Unmet is a condition that keeps a phase from being left.
type Unmet struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"` // condition, approval, webhook or variable
	Reason string `json:"reason"`
}

// Interrupt is what takes the place of a prompt when a rule fires.
type Interrupt struct {
	Text string `json:"text"`
	Rule string `json:"rule"`
	finding.SessionProperties
}

// reply begins an answer with how a session stands.
func reply(d *workflow.Definition, s *store.Run) *Reply {
	progress := s.Progress(d.Names())
	return &Reply{Session: s.ID, Workflow: s.Workflow, Target: s.Target, Status: s.Status, Phase: s.Phase, Progress: &progress}
}

// phaseContent is the content of a phase as it is delivered.
func phaseContent(d *workflow.Definition, p *workflow.Phase) *Content {
	return &Content{Number: slices.Index(d.Names(), p.Name) + 1, Name: p.Name, Content: workflow.NewContent(p.Prompt, p.Sources...)}
}

// artifactsOf are the outputs of completed phases.
func artifactsOf(s *store.Run) map[string]map[string]any {
	outputs := map[string]map[string]any{}
	for phase, a := range s.Artifacts {
		outputs[phase] = a.Outputs
	}
	return outputs
}

// tell adds notices to an answer, each once.
func (r *Reply) tell(notices ...string) {
	for _, n := range notices {
		if !slices.Contains(r.Notices, n) {
			r.Notices = append(r.Notices, n)
		}
	}
}
