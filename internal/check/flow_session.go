package check

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// sessionOf is the session of an id; without one the only open session.
func (f *Flow) sessionOf(ctx context.Context, id string) (store.Run, error) {
	if id == "" {
		return f.store.Current(ctx)
	}
	return f.store.Load(ctx, id)
}

// underWay is a session with its workflow.
func (f *Flow) underWay(ctx context.Context, id string) (store.Run, *workflow.Definition, error) {
	s, err := f.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	d, _, err := f.definition(s.File) // what there is to notice was said at the start
	return s, d, err
}

// ready is a session with its workflow, with everything that a step with these
// claims needs under way: what can be read before is not to keep other processes
// waiting.
func (f *Flow) ready(ctx context.Context, id string, claims map[string]bool, now time.Time) (store.Run, *workflow.Definition, error) {
	s, err := f.sessionOf(ctx, id)
	if err != nil {
		return s, nil, err
	}
	log := func() (*visitLog, error) { return nil, nil } //nolint:nilnil // nothing is to be read
	if s.Status == store.Open {
		log = begin(&f.under, func() (*visitLog, error) { return f.logOf(ctx, &s, now) })
	}
	d, _, err := f.definition(s.File)
	if err != nil {
		return s, nil, err
	}
	set, err := f.settled()
	if err != nil {
		return s, nil, err
	}
	p, ok := d.Phase(s.Phase)
	if ok && s.Status == store.Open {
		if rules, _ := f.rulesOf(set, p); len(rules) > 0 {
			begin(&f.under, f.engines.of(ctx, set.bundle, rules))
		}
	}
	if !ok || !stays(p, claims) {
		_, err = log()
	}
	return s, d, err
}
