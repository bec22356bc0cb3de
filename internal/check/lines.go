package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// linesAhead are changed lines that are asked for before it is known whether there
// will be anything to put on them.
type linesAhead struct {
	of    map[string]bool // the files
	lines func() (map[string][]diff.Lines, error)
}

// guessable is of how many files the lines are asked for ahead: git tells them while
// the policies are compiled. Those of more are only asked for when they are wanted.
const guessable = 32

// guessLines asks for the lines of the files that rules match, where any finding of
// theirs will be.
func (j *judge) guessLines(ctx context.Context, c diff.Changeset, verdicts []verdict) {
	matched := map[string]bool{}
	for _, v := range verdicts {
		for _, matches := range v.facts.Matches {
			for i := range matches {
				matched[matches[i].Path] = true
			}
		}
		for _, correspondence := range v.facts.Correspondences {
			for _, member := range correspondence.Members {
				matched[member.Path] = member.Trigger || matched[member.Path]
			}
		}
		if len(matched) > 2*guessable {
			return
		}
	}
	changes := linedIn(c, matched)
	if len(changes) == 0 || len(changes) > guessable {
		return
	}
	ahead := linesAhead{of: map[string]bool{}}
	for i := range changes {
		ahead.of[changes[i].Path] = true
	}
	ahead.lines = async.Go(j.under, j.git.Lines(ctx, c.Base, c.Head, changes))
	j.linesAhead[c.Base.ID] = ahead
}

// linedIn are the changes among names of which git must be asked for the lines: the
// first line of a new file is new.
func linedIn(c diff.Changeset, names map[string]bool) []diff.Change {
	var changes []diff.Change
	for _, change := range c.Changes {
		if change.Status != diff.Added && names[change.Path] {
			changes = append(changes, change)
		}
	}
	return changes
}

// linesOf are the changed lines of some of the changes.
func (j *judge) linesOf(ctx context.Context, c diff.Changeset, changes []diff.Change) (map[string][]diff.Lines, error) {
	ahead := j.linesAhead[c.Base.ID]
	if slices.ContainsFunc(changes, func(c diff.Change) bool { return !ahead.of[c.Path] }) {
		return j.git.Lines(ctx, c.Base, c.Head, changes)()
	}
	if len(changes) == 0 {
		return nil, nil
	}
	return ahead.lines()
}
