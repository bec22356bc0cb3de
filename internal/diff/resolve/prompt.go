package resolve

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// promptBase completes b with the state at the last prompt: of the working tree, the index
// or HEAD, whichever is checked now. Without a snapshot it is HEAD.
func promptBase(place *git.Repo, b diff.Base, head diff.Head) (diff.Base, error) {
	s, err := baseline.Last(place.GitDir)
	if err != nil {
		return diff.Base{}, err
	}
	emptyTree := diff.EmptyTree(place.ObjectFormat)
	if s == nil {
		b.Ref, b.Commit, b.FoundBy = "HEAD", place.Head, "HEAD, as no prompt was captured"
		if place.Head == "" {
			b.Ref, b.Commit, b.FoundBy = "", emptyTree, "the empty tree, as there is no commit yet"
		}
		return b, nil
	}
	at := "prompt " + s.ID + ", captured at " + s.Time.UTC().Format(time.RFC3339)
	b.Ref = s.ID
	switch head.Kind {
	case diff.Worktree:
		b.Commit, b.FoundBy = s.Tree, at
	case diff.Index:
		if s.IndexTree == "" {
			return diff.Base{}, &diff.NoVerdictError{
				Reason: "the index was unmerged when the last prompt was captured",
				Fix:    "rulecheck --staged --from HEAD",
			}
		}
		b.Commit, b.FoundBy = s.IndexTree, "index of "+at
	case diff.Commit:
		b.Commit, b.FoundBy = s.Commit, "HEAD of "+at
		if s.Commit == "" {
			b.Commit = emptyTree
		}
	}
	return b, nil
}
