package phase

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// sessionOf is the session of an id; without one the only open session.
func (n *Runner) sessionOf(ctx context.Context, id string) (store.Run, error) {
	if id == "" {
		return n.store.Current(ctx)
	}
	return n.store.Load(ctx, id)
}

// underWay is a session with its workflow.
func (n *Runner) underWay(ctx context.Context, id string) (store.Run, *workflow.Definition, error) {
	s, err := n.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	d, _, err := n.definition(s.File) // what there is to notice was said at the start
	return s, d, err
}

// ready is a session with its workflow, with everything that a step with these
// claims needs under way: what can be read before is not to keep other processes
// waiting.
func (n *Runner) ready(ctx context.Context, id string, claims map[string]bool, now time.Time) (store.Run, *workflow.Definition, error) {
	s, err := n.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	log := func() (*visitLog, error) { return nil, nil } //nolint:nilnil // nothing is to be read
	if s.Status == store.Open {
		log = async.Go(&n.background, func() (*visitLog, error) { return n.logOf(ctx, &s, now) })
	}
	d, _, err := n.definition(s.File)
	if err != nil {
		return s, nil, err
	}
	set, err := n.project()
	if err != nil {
		return s, nil, err
	}
	p, ok := d.Phase(s.Phase)
	if ok && s.Status == store.Open {
		if rules, _ := n.rulesOf(set, p); len(rules) > 0 {
			async.Go(&n.background, n.policies.of(ctx, set.Bundle, rules))
		}
	}
	if !ok || !stays(p, claims) {
		_, err = log()
	}
	return s, d, err
}
