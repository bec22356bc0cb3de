package phase

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// Prev goes back to the phase that the session was in before, if the workflow allows it. What
// was completed stays completed.
func (n *Runner) Prev(ctx context.Context, id string) (*Reply, error) {
	return n.back(ctx, id, workflow.StepPrev, func(_ *workflow.Definition, s *store.Run) store.Event {
		return store.Event{Kind: store.EventReturned, To: s.Previous()}
	})
}

// Restart goes to the first phase, if the workflow allows it. Nothing is completed then.
func (n *Runner) Restart(ctx context.Context, id string) (*Reply, error) {
	return n.back(ctx, id, workflow.StepRestart, func(d *workflow.Definition, _ *store.Run) store.Event {
		return store.Event{Kind: store.EventRestarted, To: d.Start}
	})
}

// back takes a step to an earlier phase.
func (n *Runner) back(ctx context.Context, id, step string, event func(*workflow.Definition, *store.Run) store.Event) (*Reply, error) {
	s, d, err := n.load(ctx, id)
	if err != nil {
		return nil, err
	}
	call := store.Call{At: n.options.Now()}
	if p, ok := d.Phase(s.Phase); ok {
		call.Definition, call.Document = n.digests(s.File, p)
	}
	var refused *Reply
	updated, err := n.store.Update(ctx, s.ID, call, func(s store.Run) ([]store.Event, error) {
		if s.Status != store.Open {
			refused = closedReply(d, &s)
			return nil, nil
		}
		e := event(d, &s)
		e.Phase, e.Commit = s.Phase, n.commit()
		var why string
		next, ok := d.Phase(e.To)
		switch {
		case !d.Allows(step):
			why = fmt.Sprintf("The workflow %s does not allow the step %q.", s.Workflow, step)
		case !ok && e.To == "":
			why = fmt.Sprintf("The session has no phase before %s.", s.Phase)
		case !ok:
			why = fmt.Sprintf("The workflow %s no longer has the phase %s.", s.Workflow, e.To)
		default:
			e.Requires = terms(next)
			return []store.Event{e}, nil
		}
		p, err := phaseOf(d, &s)
		if err != nil {
			return nil, err
		}
		refused = &Reply{Position: positionOf(d, &s), Artifacts: artifactsOf(&s)}
		refused.Rejection = Rejection{Refused: true, Error: RefusedStep, Message: why, RequestedPhase: e.To, CurrentContent: contentOf(d, p)}
		return []store.Event{refusedEvent(refused, s.Phase, nil)}, nil
	})
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return refused, nil
	}
	p, err := phaseOf(d, &updated.Run)
	if err != nil {
		return nil, err
	}
	r := &Reply{Position: positionOf(d, &updated.Run), Prompt: p.Prompt, Artifacts: artifactsOf(&updated.Run)}
	r.CurrentContent, r.Moved = contentOf(d, p), new(true)
	r.addNotices(alterations(d, &updated.Run, "")...)
	return r, nil
}
