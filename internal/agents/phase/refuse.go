package phase

import (
	"context"
	"errors"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// refusal returns a reply that refuses an attempt, with the content of the current phase.
func (a *attempt) refusal(kind Refusal, message string) *Reply {
	return &Reply{
		Position: positionOf(a.definition, a.session), Artifacts: artifactsOf(a.session),
		Rejection: Rejection{
			Refused: true, Error: kind, Message: message,
			RequestedPhase: a.phase.Name, CurrentContent: contentOf(a.definition, a.phase),
		},
	}
}

// refuseEvidence refuses to leave the phase because evidence is missing.
func (a *attempt) refuseEvidence(incomplete gate.Incomplete) *Reply {
	r := a.refusal(RefusedEvidence, incomplete.Message)
	r.CheckpointPassed = new(false)
	r.EvidenceGap = EvidenceGap{incomplete.MissingEvidence, incomplete.RequiredFormat, incomplete.Examples}
	return r
}

// refuseExit refuses to leave the phase because of its exit conditions.
func (a *attempt) refuseExit(unmet []Unmet) *Reply {
	r := a.refusal(RefusedExit, fmt.Sprintf("Phase %s cannot be left yet.", a.phase.Name))
	r.CheckpointPassed = new(false)
	r.Unmet = unmet
	return r
}

// remain refuses to complete a phase because no transition applies.
func (a *attempt) remain(ctx context.Context) *Reply {
	if incomplete, passed := a.passGate(ctx); !passed {
		return a.refuseEvidence(incomplete)
	}
	r := a.refusal(RefusedStay, fmt.Sprintf("The evidence passes, but no transition of Phase %s applies.", a.phase.Name))
	for _, transition := range a.phase.Transitions {
		if transition.Claim != "" {
			r.Unmet = append(r.Unmet, Unmet{transition.Claim, "claim", fmt.Sprintf("with %q: true the phase %q is next", transition.Claim, transition.To)})
		}
	}
	r.RequiredAction = "Add the claim of a transition to the evidence"
	return r
}

// sequenceReply refuses a request that is out of sequence. Any other error remains one.
func sequenceReply(d *workflow.Definition, s *store.Run, err error) (*Reply, error) {
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
	r := &Reply{Position: positionOf(d, s), Artifacts: artifactsOf(s)}
	r.Progress = &e.Progress
	r.Rejection = Rejection{
		Refused: true, Error: Refusal(e.Code), Message: e.Message, Reason: e.Reason, RequiredAction: e.RequiredAction,
		ViolationType: e.ViolationType, RequestedPhase: e.RequestedPhase, CurrentContent: contentOf(d, p),
	}
	return r, nil
}

// closedReply refuses a request that needs an open session.
func closedReply(d *workflow.Definition, s *store.Run) *Reply {
	r := &Reply{Position: positionOf(d, s)}
	r.Rejection = Rejection{
		Refused: true, Error: RefusedClosed, Message: "Session " + s.ID + " has ended", Reason: "it is " + string(s.Status),
		RequiredAction: "Start the workflow again: rulecheck workflow start " + shell.Quote(s.Workflow),
	}
	r.WorkflowComplete = s.Status == store.Finished
	return r
}
