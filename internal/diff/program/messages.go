package program

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Messages returns those of the commits that head has and base does not, newest first. An
// unborn head has none, and git is not asked if both are the same commit.
func (p *Engine) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	if head.Commit == "" || head.Commit == base.Commit {
		return nil, nil
	}
	since := base.Commit
	if s, err := p.snapshotOf(base); err != nil {
		return nil, err
	} else if s != nil {
		since = cmp.Or(s.Commit, p.emptyTree())
	}
	out, err := p.repo.Run(ctx, "log", "-z", "--no-show-signature", "--format=%H%n%an%n%ae%n%B", "--end-of-options", head.Commit, "^"+since)
	if err != nil {
		return nil, err
	}
	var list []diff.Message
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		const fields = 4
		if part := strings.SplitN(string(entry), "\n", fields); len(part) == fields {
			list = append(list, diff.Message{Commit: part[0], Author: diff.Author{Name: part[1], Email: part[2]}, Text: part[3]})
		}
	}
	return list, nil
}

// Committed returns the time at which a commit was made, by its committer.
func (p *Engine) Committed(ctx context.Context, commit string) (time.Time, error) {
	out, err := p.repo.Run(ctx, "show", "-s", "--no-show-signature", "--format=%ct", "--end-of-options", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return time.Time{}, noAnswer("show")
	}
	return time.Unix(seconds, 0).UTC(), nil
}
