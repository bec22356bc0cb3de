package phase

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// Show delivers the content of a phase, which must be the current one or
// completed.
func (n *Runner) Show(ctx context.Context, id, phase string) (*Reply, error) {
	s, d, err := n.underWay(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.MayShow(phase, d.Names()); err != nil {
		return n.sequence(d, &s, err)
	}
	p, ok := d.Phase(phase)
	if !ok {
		p, err = phaseOf(d, &store.Run{ID: s.ID, Phase: phase})
		if err != nil {
			return nil, err
		}
	}
	r := reply(d, &s)
	r.Shown = &Shown{Content: *phaseContent(d, p), FromPrevious: map[string]map[string]any{}}
	if p.Name == s.Phase {
		r.FromPrevious = artifactsOf(&s)
	}
	if p.Gate != nil {
		criteria := p.Gate.Criteria()
		r.Criteria = &criteria
		if notice := p.Gate.Notice(p.Name); notice != "" {
			r.tell(notice)
		}
	}
	return r, nil
}

// Continue gives the prompt of the current phase without judging anything, and
// keeps nothing of it: the next step is judged again.
func (n *Runner) Continue(ctx context.Context, id string) (*Reply, error) {
	s, d, err := n.underWay(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.Status != store.Open {
		return closedReply(d, &s), nil
	}
	p, err := phaseOf(d, &s)
	if err != nil {
		return nil, err
	}
	r := reply(d, &s)
	r.Prompt, r.Artifacts = p.Prompt, artifactsOf(&s)
	return r, nil
}

// Status is how a session stands.
type Status struct {
	*Reply

	State store.Run `json:"state"`
}

// Status tells how a session stands, and judges nothing.
func (n *Runner) Status(ctx context.Context, id string) (*Status, error) {
	s, d, err := n.underWay(ctx, id)
	if err != nil {
		return nil, err
	}
	r := reply(d, &s)
	r.Artifacts = artifactsOf(&s)
	r.WorkflowComplete = s.Status == store.Finished
	if p, ok := d.Phase(s.Phase); ok && s.Status == store.Open {
		r.CurrentContent = phaseContent(d, p)
	}
	return &Status{r, s}, nil
}

// Search finds sections in the documents of the phases that may be shown.
func (n *Runner) Search(ctx context.Context, id string, q workflow.Query) ([]workflow.Hit, error) {
	s, d, err := n.underWay(ctx, id)
	if err != nil {
		return nil, err
	}
	var entries []workflow.Entry
	for _, p := range d.Phases {
		if p.Document != nil && s.MayShow(p.Name, d.Names()) == nil {
			entries = append(entries, workflow.Entry{Phase: p.Name, Document: p.Document})
		}
	}
	return workflow.NewIndex(entries).Search(q), nil
}

// Abort ends an open session. One that is aborted already stays so.
func (n *Runner) Abort(ctx context.Context, id string) (*Reply, error) {
	s, err := n.sessionOf(ctx, id)
	if err != nil {
		return nil, err
	}
	outcome, err := n.store.Update(ctx, s.ID, store.Call{At: n.options.Now()}, func(s store.Run) ([]store.Event, error) {
		if s.Status != store.Open {
			return nil, nil
		}
		return []store.Event{{Kind: store.EventAborted}}, nil
	})
	if err != nil {
		return nil, err
	}
	s = outcome.Run
	r := &Reply{Session: s.ID, Workflow: s.Workflow, Target: s.Target, Status: s.Status, Phase: s.Phase}
	if r.Repeated = len(outcome.Record.Events) == 0; r.Repeated {
		r.tell("the session was " + string(s.Status) + " already")
	}
	return r, nil
}

// Recover rebuilds damaged sessions from their journals; all, where none is
// named.
func (n *Runner) Recover(ctx context.Context, ids ...string) ([]store.Recovery, error) {
	return n.store.Recover(ctx, ids...)
}

// Delete forgets a session, however it stands.
func (n *Runner) Delete(ctx context.Context, id string) error { return n.store.Delete(ctx, id) }
