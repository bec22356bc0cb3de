package phase

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// Start begins a session of a workflow, or gives the open one with the same
// target; target is a path from the repository's root, or empty. A workflow with
// problems is a *[ProblemsError].
func (n *Runner) Start(ctx context.Context, name, target string) (*Reply, error) {
	d, notices, err := n.definition(name)
	if err != nil {
		return nil, err
	}
	_, problems, err := n.conditionsOf(ctx, d, d.Phases...)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &ProblemsError{problems}
	}
	start := store.Start{Workflow: d.Name, File: loadable(d, name), Target: target, Phase: d.Start}
	s, resumed, err := n.store.Create(ctx, start, n.options.Now())
	if err != nil {
		return nil, err
	}
	p, err := phaseOf(d, &s)
	if err != nil {
		return nil, err
	}
	r := reply(d, &s)
	r.Resumed, r.Prompt = resumed, p.Prompt
	r.CurrentContent, r.Artifacts = phaseContent(d, p), artifactsOf(&s)
	r.tell(notices...)
	return r, nil
}

// Next takes the first transition that holds, and judges the phase one is then
// in. What may not be left yet is refused.
func (n *Runner) Next(ctx context.Context, id string, in NextInput) (*Reply, error) {
	now := n.options.Now()
	s, d, err := n.ready(ctx, id, claimsOf(in.Claims), now)
	if err != nil {
		return nil, err
	}
	var refused *Reply
	var t *step
	outcome, err := n.store.Update(ctx, s.ID, store.Call{At: now}, func(s store.Run) ([]store.Event, error) {
		if s.Status != store.Open {
			refused = closedReply(d, &s)
			return nil, nil
		}
		var err error
		if t, err = n.stepFrom(ctx, d, &s, in.Claims, now); err != nil {
			return nil, err
		}
		events, err := handedIn(t.phase, in)
		if err != nil {
			return nil, err
		}
		st := standingAfter(&s, events, now)
		events = append(events, t.claimed()...)
		to, leads := t.leads(ctx)
		if !leads {
			return events, nil
		}
		var left []store.Event
		left, refused = t.leave(ctx, to, st)
		return append(events, left...), nil
	})
	if err != nil {
		return nil, err
	}
	r := refused
	if r == nil {
		if r, err = n.entered(d, &outcome.Run, t); err != nil {
			return nil, err
		}
	}
	return r, n.conclude(ctx, r, t)
}

// Complete leaves the current phase with evidence. What has been left with the
// same evidence before is answered as it was then.
func (n *Runner) Complete(ctx context.Context, id, phase string, evidence map[string]any) (*Reply, error) {
	now := n.options.Now()
	s, d, err := n.ready(ctx, id, claimsOf(evidence), now)
	if err != nil {
		return nil, err
	}
	var refused *Reply
	var t *step
	repeated := false
	outcome, err := n.store.Update(ctx, s.ID, store.Call{At: now}, func(s store.Run) ([]store.Event, error) {
		if repeated = s.Repeats(phase, evidence); repeated {
			return nil, nil
		}
		if err := s.MayComplete(phase, d.Names()); err != nil {
			refused, err = n.sequence(d, &s, err)
			return nil, err
		}
		var err error
		if t, err = n.stepFrom(ctx, d, &s, evidence, now); err != nil {
			return nil, err
		}
		to, leads := t.leads(ctx)
		var events []store.Event
		if leads {
			events, refused = t.leave(ctx, to, standingAfter(&s, nil, now))
		} else {
			refused = t.stays(ctx)
		}
		return events, nil
	})
	if err != nil {
		return nil, err
	}
	r := refused
	if r == nil {
		if r, err = n.passed(d, &outcome.Run, phase); err != nil {
			return nil, err
		}
	}
	if r.Repeated = repeated; repeated {
		r.tell(fmt.Sprintf("phase %s was completed before with the same evidence; nothing happened now", phase))
	}
	return r, n.conclude(ctx, r, t)
}

// conclude adds to the answer what a step has to tell, and judges the visit that
// goes on. There is none after a step that left the phase: nothing has happened in
// the next one yet.
func (n *Runner) conclude(ctx context.Context, r *Reply, t *step) error {
	if t == nil {
		return nil
	}
	r.tell(t.notices...)
	if t.left {
		return nil
	}
	return n.judge(ctx, r, t)
}

// passed answers that a phase was completed.
func (n *Runner) passed(d *workflow.Definition, s *store.Run, phase string) (*Reply, error) {
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, err
	}
	r := reply(d, s)
	r.CheckpointPassed, r.Completed, r.Artifacts, r.Prompt = new(true), phase, artifactsOf(s), p.Prompt
	if r.WorkflowComplete = s.Status == store.Finished; !r.WorkflowComplete {
		r.NextPhase, r.NextContent = s.Phase, phaseContent(d, p)
	}
	return r, nil
}

// entered answers next: with the prompt of the phase one is in.
func (n *Runner) entered(d *workflow.Definition, s *store.Run, t *step) (*Reply, error) {
	if t.left {
		return n.passed(d, s, t.phase.Name)
	}
	r := reply(d, s)
	r.Prompt, r.Artifacts = t.phase.Prompt, artifactsOf(s)
	return r, nil
}
