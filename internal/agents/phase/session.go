package phase

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/async"
)

// sessionOf returns the session with an id, or the only open session if the id is empty.
func (n *Runner) sessionOf(ctx context.Context, id string) (store.Run, error) {
	if id == "" {
		return n.store.Current(ctx)
	}
	return n.store.Load(ctx, id)
}

// load returns a session with its workflow.
func (n *Runner) load(ctx context.Context, id string) (store.Run, *workflow.Definition, error) {
	s, err := n.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	d, _, err := n.definition(s.File) // start has shown the notices
	return s, d, err
}

// prefetch returns a session with its workflow, and starts reading what a step with these
// claims needs: other processes must not wait for it under the lock.
func (n *Runner) prefetch(ctx context.Context, id string, claims map[string]bool, now time.Time) (store.Run, *workflow.Definition, error) {
	s, err := n.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	log := func() (*visitLog, error) { return nil, nil } //nolint:nilnil // a closed session needs no log
	if s.Status == store.Open {
		log = async.Go(&n.background, func() (*visitLog, error) { return n.logOf(ctx, &s, now) })
	}
	d, _, err := n.definition(s.File)
	if err != nil {
		return s, nil, err
	}
	project, err := n.project()
	if err != nil {
		return s, nil, err
	}
	p, ok := d.Phase(s.Phase)
	if ok && s.Status == store.Open {
		if rules, _ := n.rulesOf(project, p, nil); len(rules) > 0 {
			async.Go(&n.background, n.policies.of(ctx, project.Bundle, rules))
		}
	}
	if !ok || !cannotLeave(p, claims) {
		_, err = log()
	}
	return s, d, err
}
