package resolve

import (
	"context"
	"errors"
	"os"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Head resolves the tree to check. It fails with a *diff.NoVerdictError if ref is not a
// commit, if there is no working tree, or if a bare repository has no index.
func Head(ctx context.Context, repo Repository, kind diff.HeadKind, ref string) (diff.Head, error) {
	place := repo.Place()
	h := diff.Head{Kind: kind, Commit: place.Head, Branch: place.Branch}
	if h.Commit == "" && h.Branch != "" {
		if err := lost(place, "refs/heads/"+h.Branch); err != nil {
			return diff.Head{}, err
		}
	}
	switch kind {
	case diff.Worktree:
		if place.Bare {
			return diff.Head{}, &diff.NoVerdictError{Reason: "there is no working tree here", Fix: "rulecheck --to HEAD"}
		}
	case diff.Index:
		// Git treats a missing index as an empty one: every file would be deleted.
		if _, err := os.Stat(place.IndexFile); place.Bare && err != nil {
			return diff.Head{}, &diff.NoVerdictError{Reason: "there is no index here", Fix: "rulecheck --to HEAD", Err: err}
		}
	case diff.Commit:
		commit, err := repo.Commit(ctx, ref)
		if err != nil {
			return diff.Head{}, err
		}
		h.Ref, h.Commit = ref, commit
	default:
		return diff.Head{}, errors.New("unknown kind of head " + strconv.Quote(string(kind)) +
			"; want one of worktree, index, commit")
	}
	return h, nil
}
