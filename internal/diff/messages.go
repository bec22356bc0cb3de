package diff

import (
	"bytes"
	"cmp"
	"context"
	"strings"
)

// Root is the top of the working tree; empty where there is none.
func (p *Program) Root() string { return p.repo.Root }

// Messages are those of the commits of head that base does not have, newest
// first. An unborn head has none, and git is not asked where both are one.
func (p *Program) Messages(ctx context.Context, base Base, head Head) ([]Message, error) {
	if head.Commit == "" || head.Commit == base.Commit {
		return nil, nil
	}
	since := base.Commit
	if s, err := p.snapshotOf(base); err != nil {
		return nil, err
	} else if s != nil {
		since = cmp.Or(s.Commit, p.emptyTree())
	}
	out, err := p.repo.Run(ctx, "log", "-z", "--format=%H%n%B", "--end-of-options", head.Commit, "^"+since)
	if err != nil {
		return nil, err
	}
	var list []Message
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if commit, text, ok := strings.Cut(string(entry), "\n"); ok {
			list = append(list, Message{Commit: commit, Text: text})
		}
	}
	return list, nil
}
