package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// bases finds each base and its changeset once, when somebody first wants it.
type bases struct {
	git           diff.Engine
	head          diff.Head
	options       Options
	defaultBranch string // as configured
	under         *conc.WaitGroup

	found    map[string]func() (diff.Base, error)
	begun    map[string]func() (diff.Changeset, error)
	answered map[string]<-chan struct{} // closed when git has answered
	used     []diff.Changeset
	staged   func() (map[string]bool, error) // asks git, once
}

func newBases(ctx context.Context, git diff.Engine, head diff.Head, o Options, under *conc.WaitGroup) *bases {
	return &bases{
		git: git, head: head, options: o, under: under,
		found:    map[string]func() (diff.Base, error){},
		begun:    map[string]func() (diff.Changeset, error){},
		answered: map[string]<-chan struct{}{},
		staged:   sync.OnceValues(func() (map[string]bool, error) { return git.Staged(ctx) }),
	}
}

// begin asks git for the changeset against a base, without waiting for it. The
// channel is closed when the base is found, or is not there.
func (b *bases) begin(ctx context.Context, id string) (resolved <-chan struct{}) {
	if b.begun[id] != nil {
		return nil
	}
	request := diff.BaseRequest{
		ID: id, Head: b.head, DefaultBranch: b.defaultBranch,
		Ref: cmp.Or(b.options.Since, b.options.From), CI: b.options.CI,
	}
	done, answered := make(chan struct{}), make(chan struct{})
	b.answered[id] = answered
	found := sync.OnceValues(func() (diff.Base, error) {
		defer close(done)
		return b.git.Resolve(ctx, request)
	})
	b.found[id] = found
	b.begun[id] = async.Go(b.under, func() (diff.Changeset, error) {
		defer close(answered)
		base, err := found()
		if err != nil {
			return diff.Changeset{}, err
		}
		return b.git.Changes(ctx, base, b.head)
	})
	return done
}

// stagedBeside gives the names staged in this commit, which the changeset says
// itself where it starts at HEAD.
func (b *bases) stagedBeside(c diff.Changeset) (map[string]bool, error) {
	if c.Base.Commit != b.head.Commit {
		return b.staged()
	}
	names := map[string]bool{}
	for _, change := range c.Changes {
		for _, name := range change.Names() {
			names[name] = true
		}
	}
	return names, nil
}

// restart begins a base again, now that the default branch is known.
func (b *bases) restart(ctx context.Context, id, defaultBranch string) {
	b.defaultBranch = defaultBranch
	delete(b.begun, id)
	b.begin(ctx, id)
}

// wait gives the changeset against a base that was begun.
func (b *bases) wait(_ context.Context, id string) (diff.Changeset, error) {
	c, err := b.begun[id]()
	if err == nil && !slices.ContainsFunc(b.used, func(u diff.Changeset) bool { return u.Base.ID == id }) {
		b.used = append(b.used, c)
	}
	return c, err
}

// unjudgeable reports whether err says that there is no such base here, which
// concerns the rules that compare to it and no others.
func unjudgeable(err error) bool {
	return errors.As(err, new(*diff.UnjudgeableError))
}
