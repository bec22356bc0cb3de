package diff

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Ahead is what git is asked while it still looks for the repository: where the
// default branch is, which most judgements begin with. Nothing in the answers
// depends on what else git says. The zero value has asked nothing.
type Ahead struct {
	branches func() (map[string]branch, error)
	settings func() (*settings, error)
	end      []func()
}

// Ask begins to ask: git is at work when it returns.
func Ask(ctx context.Context, runner *git.Runner) *Ahead {
	ctx, cancel := context.WithCancel(ctx)
	a := &Ahead{end: []func(){cancel}}
	refs := runner.Start(ctx, refsCall(usualBranches("*")))
	a.branches = sync.OnceValues(func() (map[string]branch, error) { return refsOf(refs()) })
	a.end = append(a.end, func() { _, _ = a.branches() })
	if runner.MayHaveRemotes() { // else hardly anybody will want to know
		config := runner.Start(ctx, settingsCall)
		a.settings = sync.OnceValues(func() (*settings, error) { return settingsOf(config()) })
		a.end = append(a.end, func() { _, _ = a.settings() })
	}
	return a
}

// End ends what nobody waits for any more.
func (a *Ahead) End() {
	for _, end := range a.end {
		end()
	}
}
