package check

import (
	"cmp"
	"context"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// bases compares head with each base once, in the background.
type bases struct {
	engine     diff.Engine
	request    diff.BaseRequest // of every base, apart from its id
	background *conc.WaitGroup
	started    map[string]comparison // by the id of the base
}

// comparison waits for a base and for the changeset since.
type comparison struct {
	base    func() (diff.Base, error)
	changes func() (diff.Changeset, error)
}

func newBases(engine diff.Engine, head diff.Head, o Options, background *conc.WaitGroup) *bases {
	request := diff.BaseRequest{Head: head, Ref: cmp.Or(o.Since, o.From), CI: o.CI}
	return &bases{engine: engine, request: request, background: background, started: map[string]comparison{}}
}

// compare starts to compare head with the base of an id, unless that has started.
func (b *bases) compare(ctx context.Context, id string) comparison {
	if c, ok := b.started[id]; ok {
		return c
	}
	request := b.request
	request.ID = id
	base := async.Go(b.background, func() (diff.Base, error) { return b.engine.Resolve(ctx, request) })
	changes := async.Go(b.background, func() (diff.Changeset, error) {
		found, err := base()
		if err != nil {
			return diff.Changeset{}, err
		}
		return b.engine.Changes(ctx, found, request.Head)
	})
	b.started[id] = comparison{base, changes}
	return b.started[id]
}

// setDefaultBranch sets the default branch that bases are found from. Comparisons that
// have started are dropped.
func (b *bases) setDefaultBranch(name string) {
	b.request.DefaultBranch = name
	clear(b.started)
}
