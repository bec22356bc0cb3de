package phase

import (
	"context"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// Show returns the content of a phase, given by name or number, which must be the current
// one, as by default, or completed.
func (n *Runner) Show(ctx context.Context, id, phase string) (*Reply, error) {
	s, d, err := n.load(ctx, id)
	if err != nil {
		return nil, err
	}
	phase = named(d, &s, phase)
	if err := s.MayShow(phase, d.Names()); err != nil {
		return sequenceReply(d, &s, err)
	}
	p, ok := d.Phase(phase)
	if !ok {
		p, err = phaseOf(d, &store.Run{ID: s.ID, Phase: phase})
		if err != nil {
			return nil, err
		}
	}
	r := &Reply{Position: positionOf(d, &s), Shown: &Shown{Content: *contentOf(d, p), FromPrevious: Artifacts{}}}
	if p.Name == s.Phase {
		r.FromPrevious = artifactsOf(&s)
	}
	r.addNotices(alterations(d, &s, p.Name)...)
	if p.Gate != nil {
		r.Criteria = r.Content.Criteria
		if notice := p.Gate.Notice(p.Name); notice != "" {
			r.addNotices(notice)
		}
	}
	return r, nil
}

// Continue returns the prompt of the current phase without evaluating rules. It records
// nothing: the next step evaluates them again.
func (n *Runner) Continue(ctx context.Context, id string) (*Reply, error) {
	s, d, err := n.load(ctx, id)
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
	r := &Reply{Position: positionOf(d, &s), Prompt: p.Prompt, Artifacts: artifactsOf(&s)}
	r.CurrentContent = contentOf(d, p)
	r.addNotices(alterations(d, &s, "")...)
	return r, nil
}

// Status returns the status of a session. It evaluates no rules.
func (n *Runner) Status(ctx context.Context, id string) (*Status, error) {
	s, d, err := n.load(ctx, id)
	if err != nil {
		return nil, err
	}
	standing := &Standing{Position: positionOf(d, &s), Artifacts: artifactsOf(&s), WorkflowComplete: s.Status == store.Finished}
	if p, ok := d.Phase(s.Phase); ok && s.Status == store.Open {
		standing.CurrentContent = contentOf(d, p)
		if standing.Conditions, standing.Vars, err = n.waiting(ctx, d, &s); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			standing.Notices = strings.Split(err.Error(), "\n") // the rest of the status is known
		}
	}
	standing.Notices = append(standing.Notices, alterations(d, &s, "")...)
	return &Status{standing, s}, nil
}

// Search finds sections in the documents of the current and the completed phases.
func (n *Runner) Search(ctx context.Context, id string, q workflow.Query) ([]workflow.Hit, error) {
	s, d, err := n.load(ctx, id)
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

// Abort ends an open session. A session that has ended stays as it is.
func (n *Runner) Abort(ctx context.Context, id string) (*Aborted, error) {
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
	a := &Aborted{Position: Position{Session: s.ID, Workflow: s.Workflow, Target: s.Target, Status: s.Status, Phase: s.Phase}}
	if a.Repeated = len(outcome.Record.Events) == 0; a.Repeated {
		a.Notices = []string{"the session was " + string(s.Status) + " already"}
	}
	return a, nil
}

// Recover rebuilds damaged sessions from their journals; all sessions if none is named.
func (n *Runner) Recover(ctx context.Context, ids ...string) ([]store.Recovery, error) {
	return n.store.Recover(ctx, ids...)
}

// Delete deletes a session, whatever its status.
func (n *Runner) Delete(ctx context.Context, id string) error { return n.store.Delete(ctx, id) }

// Prune deletes the sessions that have ended and were last used before an instant.
// Notices name the sessions that cannot be read.
func (n *Runner) Prune(ctx context.Context, before time.Time) (*Pruned, error) {
	deleted, err := n.store.Prune(ctx, before)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p := &Pruned{Deleted: []SessionSummary{}, Notices: []string{}}
	for i := range deleted {
		p.Deleted = append(p.Deleted, summaryOf(&deleted[i]))
	}
	if err != nil {
		p.Notices = append(p.Notices, strings.Split(err.Error(), "\n")...)
	}
	return p, nil
}
