package diff

import (
	"cmp"
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
)

// expected is what git was asked before the base was known; nil: nothing.
type expected struct {
	untracked func() ([]string, error)
	staged    func() (answer, error)
}

// answer is what git said to one raw comparison.
type answer struct {
	records []record
	notices []string
}

// Expect begins what every comparison with head needs: the list of untracked
// files, or what is staged. It is called before anything else is asked, and asks once.
func (p *Program) Expect(ctx context.Context, head Head) {
	switch {
	case head.Kind == Worktree && p.expected.untracked == nil:
		p.expected.untracked = sync.OnceValues(func() ([]string, error) { return p.listUntracked(ctx) })
		go p.expected.untracked() //nolint:errcheck // whoever waits gets the error
	case head.Kind == Index && p.expected.staged == nil:
		p.expected.staged = sync.OnceValues(func() (answer, error) { return p.askStaged(ctx) })
		go p.expected.staged() //nolint:errcheck // whoever waits gets the error
	}
}

// untracked lists what is in the working tree, not in the index and not ignored.
// A repository within this one is listed as its directory with a final slash.
func (p *Program) untracked(ctx context.Context) ([]string, error) {
	if p.expected.untracked != nil {
		return p.expected.untracked()
	}
	return p.listUntracked(ctx)
}

func (p *Program) listUntracked(ctx context.Context) ([]string, error) {
	res, err := p.storeless(ctx, git.Call{Args: untrackedArgs})
	return names(res.Stdout), err
}

var untrackedArgs = []string{"ls-files", "-o", "--exclude-standard", "-z", "--full-name", "--", ":/"}

// staged is HEAD, or before the first commit nothing, compared with the index.
func (p *Program) staged(ctx context.Context) (answer, error) {
	if p.expected.staged != nil {
		return p.expected.staged()
	}
	return p.askStaged(ctx)
}

func (p *Program) askStaged(ctx context.Context) (a answer, err error) {
	from := cmp.Or(p.repo.Head, p.emptyTree())
	a.records, a.notices, err = p.compared(ctx, git.Call{Args: compare(from, Head{Kind: Index}, rawForm, withRenames)})
	return a, err
}
