package program

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// Changes returns the net diff from base to head. It fails with a *diff.NoVerdictError if
// the index is to be checked and is unmerged, or if an object is needed that a partial clone
// lacks.
func (p *Engine) Changes(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error) {
	set := diff.Changeset{Base: base, Head: head}
	if head.Kind == diff.Worktree {
		taken, err := p.snapshotOf(base)
		if err != nil {
			return diff.Changeset{}, err
		}
		if taken != nil {
			return p.sincePrompt(ctx, base, head, taken)
		}
		return p.worktree(ctx, base, head, nil)
	}
	records, notices, err := p.compare(ctx, git.Call{
		Args: p.wholeArgs(ctx, base.Commit, head, rawForm, withRenames), Env: p.snapshotObjects(base),
	})
	if err != nil {
		return diff.Changeset{}, err
	}
	if len(records) == 0 {
		if err := p.confirmNone(ctx, base, head); err != nil {
			return diff.Changeset{}, err
		}
	}
	set.Changes, set.Notices = diff.ChangesOf(records), notices
	return set, diff.RefuseUnmerged(set.Changes)
}

// confirmNone makes sure that a comparison without any entry is an answer of git: the same
// comparison from the empty tree must have one, unless the tree of base is empty too.
func (p *Engine) confirmNone(ctx context.Context, base diff.Base, head diff.Head) error {
	if base.Commit == p.emptyTree() || base.ID == diff.Prompt && snapshot.IsID(base.Ref) {
		return nil
	}
	args := p.wholeArgs(ctx, p.emptyTree(), head, []string{"--quiet", "--no-renames"})
	if head.Kind == diff.Worktree {
		args = slices.Concat(args[:0:0], p.asItIs(), unrefreshed, compareArgs(p.emptyTree(), head, []string{"--quiet", "--no-renames"}))
	}
	_, err := p.query(ctx, git.Call{Args: args})
	if exited(err, 1) { // there is one, at which git stopped
		return nil
	}
	if err != nil {
		return MissingObject(err)
	}
	tree, err := p.repo.Run(ctx, "rev-parse", "--verify", "--end-of-options", base.Commit+"^{tree}")
	if err == nil && strings.TrimSpace(string(tree)) != p.emptyTree() {
		err = noAnswer("diff")
	}
	return err
}

// Staged returns what a commit of the index would change: HEAD to index, or all of the
// index before the first commit. Unmerged paths are not refused.
func (p *Engine) Staged(ctx context.Context) (diff.Changeset, error) {
	set := diff.Changeset{Base: diff.Base{Commit: cmp.Or(p.repo.Head, p.emptyTree())}, Head: diff.Head{Kind: diff.Index}}
	records, notices, err := p.compare(ctx, git.Call{Args: p.wholeArgs(ctx, set.Base.Commit, set.Head, rawForm, withRenames)})
	set.Changes, set.Notices = diff.ChangesOf(records), notices
	return set, err
}

// Unstaged returns the files of the working tree that may differ from the index; see [diff.Engine].
func (p *Engine) Unstaged(ctx context.Context) ([]diff.Change, error) {
	args := append([]string{"diff-files", "--raw", "-z", "--no-abbrev", "--no-renames"}, pinned...)
	records, _, err := p.compare(ctx, git.Call{Args: args})
	if err != nil {
		return nil, err
	}
	return diff.ChangesOf(records), nil
}
