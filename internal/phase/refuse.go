package phase

import (
	"context"
	"errors"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// refusal begins the answer to what is refused, with the content of the phase
// that one is in.
func (t *step) refusal(kind Refusal, message string) *Reply {
	r := reply(t.definition, t.session)
	r.Refused, r.Error, r.Message = true, kind, message
	r.RequestedPhase = t.phase.Name
	r.CurrentContent = phaseContent(t.definition, t.phase)
	r.Artifacts = artifactsOf(t.session)
	return r
}

// lacks refuses to leave the phase for evidence that is missing.
func (t *step) lacks(told gate.Incomplete) *Reply {
	r := t.refusal(RefusedEvidence, told.Message)
	r.CheckpointPassed = new(false)
	r.MissingEvidence, r.RequiredFormat, r.Examples = told.MissingEvidence, told.RequiredFormat, told.Examples
	return r
}

// kept refuses to leave the phase for its exit conditions.
func (t *step) kept(unmet []Unmet) *Reply {
	r := t.refusal(RefusedExit, fmt.Sprintf("Phase %s cannot be left yet.", t.phase.Name))
	r.CheckpointPassed = new(false)
	r.Unmet = unmet
	return r
}

// stays refuses to complete a phase that nothing leads on from.
func (t *step) stays(ctx context.Context) *Reply {
	if told, passed := t.gate(ctx); !passed {
		return t.lacks(told)
	}
	r := t.refusal(RefusedStay, fmt.Sprintf("The evidence passes, but nothing leads on from Phase %s.", t.phase.Name))
	for _, transition := range t.phase.Transitions {
		if transition.Claim != "" {
			r.Unmet = append(r.Unmet, Unmet{transition.Claim, "claim", fmt.Sprintf("with %q: true the phase %q is next", transition.Claim, transition.To)})
		}
	}
	r.RequiredAction = "Claim what leads on, beside the evidence"
	return r
}

// sequence makes a refusal of what is out of sequence; any other error stays one.
func (n *Runner) sequence(d *workflow.Definition, s *store.Run, err error) (*Reply, error) {
	e, ok := errors.AsType[*store.SequenceError](err)
	if !ok {
		if s.Status == store.Open {
			return nil, err
		}
		return closedReply(d, s), nil
	}
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, err
	}
	r := reply(d, s)
	r.Refused, r.Error, r.Message, r.Reason, r.RequiredAction = true, Refusal(e.Code), e.Message, e.Reason, e.RequiredAction
	r.ViolationType, r.RequestedPhase, r.Progress = e.ViolationType, e.RequestedPhase, &e.Progress
	r.CurrentContent, r.Artifacts = phaseContent(d, p), artifactsOf(s)
	return r, nil
}

// closedReply refuses what needs an open session.
func closedReply(d *workflow.Definition, s *store.Run) *Reply {
	r := reply(d, s)
	r.Refused, r.Error = true, RefusedClosed
	r.Message = "Nothing more happens in session " + s.ID
	r.Reason = "it is " + string(s.Status)
	r.RequiredAction = "Start the workflow again: rulecheck workflow start " + s.Workflow
	r.WorkflowComplete = s.Status == store.Finished
	return r
}
