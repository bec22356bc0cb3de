package respond

import (
	"context"
	"errors"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// withFallback is the embedded engine with another one, which answers what the first cannot:
// conditions may ask for the state of the repository before each call, where most events need no
// git process.
type withFallback struct {
	diff.Engine

	other func(context.Context) (diff.Engine, error)
}

// answer asks the embedded engine, and the other one if that needs git.
func answer[T any](ctx context.Context, f withFallback, ask func(diff.Engine) (T, error)) (T, error) {
	a, err := ask(f.Engine)
	if !errors.Is(err, diff.ErrNeedsGit) {
		return a, err
	}
	other, wrong := f.other(ctx)
	if wrong != nil {
		return a, wrong
	}
	return ask(other)
}

// Changes returns the net diff from base to head.
func (f withFallback) Changes(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error) {
	return answer(ctx, f, func(e diff.Engine) (diff.Changeset, error) { return e.Changes(ctx, base, head) })
}

// Staged returns what a commit of the index would change.
func (f withFallback) Staged(ctx context.Context) (diff.Changeset, error) {
	return answer(ctx, f, func(e diff.Engine) (diff.Changeset, error) { return e.Staged(ctx) })
}

// Dates returns when each of the commits was made that head has and base does not.
func (f withFallback) Dates(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Dates, error) {
	return answer(ctx, f, func(e diff.Engine) ([]diff.Dates, error) { return e.Dates(ctx, base, head) })
}

// Resolve finds a base. Only the other engine knows the state at a prompt, and the embedded one
// could compare nothing with it.
func (f withFallback) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	if r.ID == diff.Prompt {
		return f.Engine.Resolve(ctx, r)
	}
	return answer(ctx, f, func(e diff.Engine) (diff.Base, error) { return e.Resolve(ctx, r) })
}
