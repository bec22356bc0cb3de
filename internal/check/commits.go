package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/waiver"
	"github.com/rulecheck/rulecheck/policies"
)

// commits returns the commits of a changeset, after the one that is being made.
func (d *Decider) commits(ctx context.Context, c diff.Changeset) ([]commits.Commit, error) {
	list, err := commits.Read(ctx, d.Details, c)
	if err != nil || d.Pending == nil {
		return list, err
	}
	message, err := d.Pending(ctx)
	if err != nil {
		return nil, err
	}
	return append([]commits.Commit{commits.Of(message)}, list...), nil
}

// addCommits adds the fact of commits for a rule whose mode asks for it; for all rules they
// are read once.
func (v *Verdict) addCommits(mode policies.Mode, read func() ([]commits.Commit, error)) (err error) {
	if !slices.Contains(mode.Facts, policies.FactCommits) {
		return nil
	}
	if v.Commits, err = read(); err != nil {
		return fmt.Errorf("rule %s: %w", v.Rule.ID, err)
	}
	return nil
}

// pending returns how the message of the commit that is being made is read; nil if none is.
func (r *run) pending() func(context.Context) (string, error) {
	if r.Waivers.MessageFile == "" {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		mark, err := r.engine.CommentMark(ctx)
		return waiver.Cleaned(r.Waivers.Message, mark), err
	}
}
