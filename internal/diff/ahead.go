package diff

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Ahead is what git is asked while it still looks for the repository: which remotes
// there are, which to find the default branch takes. Nothing in the answer depends on
// what else git says. The zero value has asked nothing.
type Ahead struct {
	settings func() (*settings, error)
	cancel   context.CancelFunc
}

// Ask begins to ask: git is at work when it returns.
func Ask(ctx context.Context, runner *git.Runner) *Ahead {
	if !runner.MayHaveRemotes() { // then hardly anybody will want to know
		return &Ahead{}
	}
	ctx, cancel := context.WithCancel(ctx)
	config := runner.Start(ctx, settingsCall)
	return &Ahead{
		settings: sync.OnceValues(func() (*settings, error) { return settingsOf(config()) }),
		cancel:   cancel,
	}
}

// End ends what nobody waits for any more.
func (a *Ahead) End() {
	if a.settings != nil {
		a.cancel()
		_, _ = a.settings()
	}
}
