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
	resolved   map[string]func() (diff.Base, error) // by id
	started    map[string]comparison                // by the id of the base
	// leaves is true if the working tree is checked instead of an index with nothing staged.
	leaves bool
}

// comparison waits for a base, for the changeset since, and for the names that are staged.
type comparison struct {
	base    func() (diff.Base, error)
	changes func() (diff.Changeset, error)
	staged  func() (map[string]bool, error) // nil unless the index is checked
}

func newBases(engine diff.Engine, head diff.Head, o Options, background *conc.WaitGroup) *bases {
	return &bases{
		engine:     engine,
		request:    diff.BaseRequest{Head: head, Ref: cmp.Or(o.Since, o.From), Snapshot: o.Prompt, CI: o.CI, Foreign: o.distrustsChange()},
		background: background,
		resolved:   map[string]func() (diff.Base, error){},
		started:    map[string]comparison{},
		leaves:     o.Staged && !o.Committing,
	}
}

// compare starts to compare head with the base of an id, unless that has started.
func (b *bases) compare(ctx context.Context, id string) comparison {
	if c, ok := b.started[id]; ok {
		return c
	}
	request := b.request // compareInstead may change that one meanwhile
	request.ID = id
	base, known := b.resolved[id]
	if !known {
		base = async.Go(b.background, func() (diff.Base, error) { return b.engine.Resolve(ctx, request) })
		b.resolved[id] = base
	}
	changes := async.Go(b.background, func() (diff.Changeset, error) {
		found, err := base()
		if err != nil {
			return diff.Changeset{}, err
		}
		c, err := b.since(ctx, found, request.Head)
		return c, cmp.Or(err, refuseConflicted(c.Changes))
	})
	staged := async.Go(b.background, func() (map[string]bool, error) {
		if request.Head.Kind != diff.Index {
			return nil, nil
		}
		c, err := b.engine.Staged(ctx)
		return c.Names(), err
	})
	b.started[id] = comparison{base, changes, staged}
	return b.started[id]
}

// since compares head with a base. What is staged is compared with HEAD once.
func (b *bases) since(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error) {
	if head.Kind != diff.Index {
		return b.engine.Changes(ctx, base, head)
	}
	if base.Commit == head.Commit {
		c, err := b.engine.Staged(ctx)
		switch {
		case b.leaves && err == nil && len(c.Changes) == 0:
			return diff.Changeset{}, nil // what the working tree has is compared instead
		case err != nil || len(c.Changes) > 0:
			c.Base, c.Head = base, head
			return c, cmp.Or(err, diff.RefuseUnmerged(c.Changes))
		}
		return b.engine.Changes(ctx, base, head)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := async.Go(b.background, func() (diff.Changeset, error) { return b.engine.Changes(ctx, base, head) })
	if b.leaves {
		if c, err := b.engine.Staged(ctx); err == nil && len(c.Changes) == 0 {
			return diff.Changeset{}, nil // as above
		}
	}
	return changes()
}

// compareInstead compares another head of the same commit. Bases but the last prompt are the same.
func (b *bases) compareInstead(head diff.Head) {
	b.request.Head = head
	clear(b.started)
	delete(b.resolved, diff.Prompt)
}

// setDefaultBranch sets the default branch that bases are found from. Comparisons that
// have started are dropped.
func (b *bases) setDefaultBranch(name string) {
	b.request.DefaultBranch = name
	clear(b.started)
	clear(b.resolved)
}
