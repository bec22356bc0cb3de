package establish

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/mentions"
	"github.com/rulecheck/rulecheck/internal/content/owners"
	"github.com/rulecheck/rulecheck/internal/content/provenance"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Source answers questions about changes and the files at head; every [diff.Engine] does.
type Source interface {
	ifchange.Repository
	mentions.Repository
	commits.Messenger
	provenance.Source
	Links(ctx context.Context, head diff.Head, paths []string) (map[string]bool, error)
}

// Sources answer the questions about one changeset from which facts are made; each is read
// once, when the first rule asks for it. It may be used concurrently.
type Sources struct {
	from Source
	set  diff.Changeset

	Edits   func() (*content.Edits, error)
	Commits func() ([]commits.Commit, error)
	written func() ([]provenance.Written, error)

	mutex      sync.Mutex // of the readers
	directives *ifchange.Reader
	mentions   *mentions.Reader
	named      *Reader
	owners     *owners.Reader
	symbols    map[symbolsIn]inside.Both
}

// NewSources returns the sources of the facts about c. Pending returns the commit
// that is being made; nil: none is.
func NewSources(ctx context.Context, from Source, c diff.Changeset, pending func(context.Context) (commits.Commit, error)) *Sources {
	named := NewReader(from, c.Head)
	named.changed = map[string]bool{}
	for i := range c.Changes {
		named.changed[c.Changes[i].Path] = true
	}
	readAll := sync.OnceValues(func() ([]commits.Commit, error) { return readCommits(ctx, from, c, pending) })
	return &Sources{
		from: from, set: c,
		Edits:   sync.OnceValues(func() (*content.Edits, error) { return content.Read(ctx, from, c) }),
		Commits: readAll,
		written: sync.OnceValues(func() ([]provenance.Written, error) {
			list, err := readAll()
			if err != nil {
				return nil, err
			}
			return provenance.Read(ctx, from, c, list)
		}),
		directives: ifchange.NewReader(from, c),
		mentions:   mentions.NewReader(from, c),
		named:      named,
		owners:     owners.NewReader(from, c),
		symbols:    map[symbolsIn]inside.Both{},
	}
}

// readCommits returns the commits of a changeset, after the one that is being made.
func readCommits(ctx context.Context, from Source, c diff.Changeset, pending func(context.Context) (commits.Commit, error)) ([]commits.Commit, error) {
	list, err := commits.Read(ctx, from, c)
	if err != nil || pending == nil {
		return list, err
	}
	made, err := pending(ctx)
	if err != nil {
		return nil, err
	}
	return append([]commits.Commit{made}, list...), nil
}

func (s *Sources) commitsOf(context.Context, Subject) ([]commits.Commit, error) { return s.Commits() }

// provenanceOf returns what agents wrote in files that the patterns of the rule match, and that it does not
// exclude: under the names that they had in the commits.
func (s *Sources) provenanceOf(_ context.Context, of Subject) ([]provenance.Written, error) {
	if of.Facts.Silenced() {
		return nil, nil
	}
	all, err := s.written()
	if err != nil {
		return nil, err
	}
	patterns := of.patterns()
	written := []provenance.Written{}
	for _, w := range all {
		if of.covers(patterns, w.Path) {
			written = append(written, w)
		}
	}
	return written, nil
}

// Exists reports whether a file at head matches a pattern.
func (s *Sources) Exists(ctx context.Context, p *pattern.Pattern) (bool, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.named.exists(ctx, p)
}

// HasLine reports whether a file at head that matches a pattern has a line that a regular
// expression matches. It fails where the content of such a file is not known.
func (s *Sources) HasLine(ctx context.Context, p *pattern.Pattern, expression string) (bool, error) {
	s.mutex.Lock()
	files, err := s.named.files(ctx, p)
	s.mutex.Unlock()
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if has, err := content.HasLine(string(f.Content), expression); has || err != nil {
			return has, err
		}
	}
	return false, nil
}
