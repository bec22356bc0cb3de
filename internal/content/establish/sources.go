package establish

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/content/mentions"
	"github.com/rulecheck/rulecheck/internal/content/owners"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// Source answers questions about changes and the files at head; every [diff.Engine] does.
type Source interface {
	ifchange.Repository
	mentions.Repository
	commits.Messenger
}

// Sources answer the questions about one changeset from which facts are made; each is read
// once, when the first rule asks for it. It may be used concurrently.
type Sources struct {
	Edits   func() (*content.Edits, error)
	Commits func() ([]commits.Commit, error)

	mutex      sync.Mutex // of the readers
	directives *ifchange.Reader
	mentions   *mentions.Reader
	named      *Reader
	owners     *owners.Reader
}

// NewSources returns the sources of the facts about c. Pending returns the message of the
// commit that is being made; nil: none is.
func NewSources(ctx context.Context, from Source, c diff.Changeset, pending func(context.Context) (string, error)) *Sources {
	return &Sources{
		Edits:      sync.OnceValues(func() (*content.Edits, error) { return content.Read(ctx, from, c) }),
		Commits:    sync.OnceValues(func() ([]commits.Commit, error) { return readCommits(ctx, from, c, pending) }),
		directives: ifchange.NewReader(from, c),
		mentions:   mentions.NewReader(from, c),
		named:      NewReader(from, c.Head),
		owners:     owners.NewReader(from, c),
	}
}

// readCommits returns the commits of a changeset, after the one that is being made.
func readCommits(ctx context.Context, from Source, c diff.Changeset, pending func(context.Context) (string, error)) ([]commits.Commit, error) {
	list, err := commits.Read(ctx, from, c)
	if err != nil || pending == nil {
		return list, err
	}
	message, err := pending(ctx)
	if err != nil {
		return nil, err
	}
	return append([]commits.Commit{commits.Of(message)}, list...), nil
}

func (s *Sources) commitsOf(context.Context, Subject) ([]commits.Commit, error) { return s.Commits() }
