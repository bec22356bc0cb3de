package phase

import (
	"context"
	"fmt"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
)

// Start begins a session of a workflow, or resumes the open one of the same file with the
// same target, a path from the repository's root or empty. A workflow with problems is a
// *[ProblemsError].
func (n *Runner) Start(ctx context.Context, name, target string) (*Started, error) {
	d, notices, err := n.definition(name)
	if err != nil {
		return nil, err
	}
	if err := n.compiles(ctx, d); err != nil {
		return nil, err
	}
	start := store.Start{Workflow: startName(d), File: loadable(d, name), Target: target, Phase: d.Start, Commit: n.commit(), Terms: termDigests(d)}
	if first, ok := d.Phase(d.Start); ok {
		start.Requires = terms(first)
		start.Definition, start.Document = n.digests(name, first)
	}
	s, resumed, err := n.store.Create(ctx, start, n.options.Now())
	if err != nil {
		return nil, err
	}
	p, err := phaseOf(d, &s)
	if err != nil {
		return nil, err
	}
	return &Started{
		Position: positionOf(d, &s), Resumed: resumed, CurrentContent: contentOf(d, p),
		Artifacts: artifactsOf(&s), Prompt: p.Prompt, Notices: append(notices, alterations(d, &s, "")...),
	}, nil
}

// NextInput is the input of [Runner.Next]. The zero value claims nothing.
type NextInput struct {
	// Claims are claims and other evidence, as encoding/json decodes them.
	Claims map[string]any
	// From is the phase to leave, by name or number: in any other the step is refused, so
	// that a repeated call does not make a second step. Empty: the current phase.
	From string
	// Approve and Reject are the ids of approvals that are given and refused.
	Approve, Reject []string
	// By is recorded with them.
	By store.By
	// Webhooks are the results of webhooks by id, as JSON: see the documentation
	// of exit conditions.
	Webhooks map[string][]byte
}

// Next takes the first transition that applies, and evaluates the rules of the phase
// that the session is then in. It refuses to leave a phase whose gate or exit conditions
// are not met.
func (n *Runner) Next(ctx context.Context, id string, in NextInput) (*Reply, error) {
	return n.advance(ctx, id, in.Claims, func(d *workflow.Definition, s *store.Run, now time.Time) (move, error) {
		if from := named(d, s, in.From); in.From != "" {
			if s.Repeats(from, in.Claims) {
				return move{completed: from, repeated: true}, nil
			}
			if err := s.MayComplete(from, d.Names()); err != nil {
				return outOfSequence(d, s, err, in.Claims)
			}
		}
		if s.Status != store.Open {
			return move{refused: closedReply(d, s)}, nil
		}
		a, err := n.newAttempt(ctx, d, s, in.Claims, now)
		if err != nil {
			return move{}, err
		}
		events, err := inputEvents(a.phase, in)
		if err != nil {
			return move{}, err
		}
		state := exitStateAfter(s, events, now)
		events = append(append(events, a.factEvents()...), a.claimEvents()...)
		to, ok := a.nextPhase(ctx)
		if !ok {
			return move{attempt: a, events: events}, nil
		}
		m := a.leave(ctx, to, state)
		m.events = append(events, m.events...)
		return m, nil
	})
}

// Complete leaves the current phase, given by name or number, with evidence. If the phase was completed before with
// the same evidence, it repeats that answer.
func (n *Runner) Complete(ctx context.Context, id, phase string, evidence map[string]any) (*Reply, error) {
	return n.advance(ctx, id, evidence, func(d *workflow.Definition, s *store.Run, now time.Time) (move, error) {
		phase := named(d, s, phase)
		if s.Repeats(phase, evidence) {
			return move{completed: phase, repeated: true}, nil
		}
		if err := s.MayComplete(phase, d.Names()); err != nil {
			return outOfSequence(d, s, err, evidence)
		}
		a, err := n.newAttempt(ctx, d, s, evidence, now)
		if err != nil {
			return move{}, err
		}
		if to, ok := a.nextPhase(ctx); ok {
			m := a.leave(ctx, to, exitStateAfter(s, nil, now))
			m.events = append(a.factEvents(), m.events...)
			return m, nil
		}
		return a.refuse(a.remain(ctx), a.factEvents()), nil
	})
}

// clockSkew is how far a clock may be set back unnoticed.
const clockSkew = 2 * time.Second

// move is the result of one step.
type move struct {
	attempt   *attempt // nil: leaving the phase was not tried
	events    []store.Event
	completed string // the phase that was left; empty: none
	refused   *Reply // nil: the step was not refused
	repeated  bool   // the step was made before
}

// advance makes a step under the lock of the sessions and replies to it. It evaluates
// the rules of the phase unless the step left it: then nothing has happened yet in the
// next phase.
func (n *Runner) advance(ctx context.Context, id string, evidence map[string]any, step func(*workflow.Definition, *store.Run, time.Time) (move, error)) (*Reply, error) {
	now := n.options.Now()
	s, d, err := n.prefetch(ctx, id, claimsOf(evidence), now)
	if err != nil {
		return nil, err
	}
	var m move
	call := store.Call{At: now}
	if p, ok := d.Phase(s.Phase); ok {
		call.Definition, call.Document = n.digests(s.File, p)
	}
	var changed *store.Event
	updated, err := n.store.Update(ctx, s.ID, call, func(s store.Run) ([]store.Event, error) {
		var err error
		if m, err = step(d, &s, now); err != nil || s.Status != store.Open {
			return m.events, err
		}
		if changed = changeOf(d, &s); changed != nil && !m.repeated {
			m.events = append([]store.Event{*changed}, m.events...)
		}
		return m.events, nil
	})
	if err != nil {
		return nil, err
	}
	r := m.refused
	switch {
	case r != nil:
	case m.completed != "":
		if r, err = completedReply(d, &updated.Run, m.completed); err != nil {
			return nil, err
		}
	default:
		r = m.attempt.stay(&updated.Run)
	}
	r.Moved = new(m.completed != "" && !m.repeated)
	if s.EnteredAt.Sub(now) > clockSkew {
		r.addNotices(fmt.Sprintf("the phase %q began at %s, which is in the future: the clock was changed, and nothing that depends on the time could be checked",
			s.Phase, s.EnteredAt.UTC().Format(time.RFC3339)))
	}
	if r.Repeated = m.repeated; m.repeated {
		r.addNotices(fmt.Sprintf("phase %s was already completed with the same evidence", m.completed))
	}
	if changed != nil {
		r.addNotices(changeNotices(d, s.Phase, changed.Lost, changed.Altered)...)
	}
	if m.attempt == nil {
		return r, nil
	}
	r.addNotices(m.attempt.notices...)
	if m.completed != "" {
		return r, nil
	}
	return r, n.evaluate(ctx, r, m.attempt)
}

// outOfSequence refuses a step of another phase than the current one, and records it.
func outOfSequence(d *workflow.Definition, s *store.Run, err error, evidence map[string]any) (move, error) {
	refused, err := sequenceReply(d, s, err)
	if err != nil || s.Status != store.Open {
		return move{refused: refused}, err
	}
	return move{refused: refused, events: []store.Event{refusedEvent(refused, refused.RequestedPhase, evidence)}}, nil
}

// digests returns the digests of a workflow file and of the text of a phase.
func (n *Runner) digests(name string, p *workflow.Phase) (definition, document string) {
	if set, err := n.project(); err == nil {
		if _, text, err := workflows.Of(set).WorkflowSource(name); err == nil {
			definition = digestOf(string(text))
		}
	}
	return definition, digestOf(p.Prompt)
}

// completedReply replies that a phase was completed.
func completedReply(d *workflow.Definition, s *store.Run, phase string) (*Reply, error) {
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, err
	}
	r := &Reply{Position: positionOf(d, s), Artifacts: artifactsOf(s), Prompt: p.Prompt}
	r.CheckpointPassed, r.Completed = new(true), phase
	if r.WorkflowComplete = s.Status == store.Finished; !r.WorkflowComplete {
		r.NextPhase, r.NextContent = s.Phase, contentOf(d, p)
		return r, nil
	}
	r.Message = fmt.Sprintf("The workflow %s is complete.", s.Workflow)
	return r, nil
}
