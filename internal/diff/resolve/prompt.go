package resolve

import (
	"errors"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// promptBase completes b with the state at the last prompt: of the working tree, the index
// or HEAD, whichever is checked now. Without a snapshot it is HEAD.
func promptBase(place *git.Repo, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	s, err := snapshot.Last(place.GitDir)
	if r.Snapshot != "" {
		if s, err = snapshot.Read(place.GitDir, r.Snapshot); err != nil && !errors.As(err, new(*diff.NoVerdictError)) {
			err = &diff.NoVerdictError{
				Reason: "the snapshot of the session's prompt, " + r.Snapshot + ", is gone", Fix: "rulecheck --since HEAD", Err: err,
			}
		}
	}
	if err != nil {
		return diff.Base{}, err
	}
	emptyTree := diff.EmptyTree(place.ObjectFormat)
	if s == nil {
		b.Ref, b.Commit, b.FoundBy = "HEAD", place.Head, "HEAD, as no prompt was captured"
		if place.Head == "" {
			b.Ref = ""
			b = noCommitYet(place, b)
		}
		return b, nil
	}
	b.Ref = s.ID
	return ofSnapshot(b, s, emptyTree, r.Head)
}

// fromPrompt completes b with the state at the prompt whose id its ref names.
func fromPrompt(place *git.Repo, b diff.Base, head diff.Head) (diff.Base, error) {
	s, err := snapshot.Read(place.GitDir, strings.TrimPrefix(b.Ref, snapshot.FromPrefix))
	if err != nil && !errors.As(err, new(*diff.NoVerdictError)) {
		err = &diff.NoVerdictError{Reason: "--from " + b.Ref + ": " + err.Error(), Fix: "rulecheck snapshot list", Err: err}
	}
	if err != nil {
		return diff.Base{}, err
	}
	return ofSnapshot(b, s, diff.EmptyTree(place.ObjectFormat), head)
}

// ofSnapshot completes b with the state of a snapshot that is compared with head.
func ofSnapshot(b diff.Base, s *snapshot.Snapshot, emptyTree string, head diff.Head) (diff.Base, error) {
	at := "captured at " + s.Time.UTC().Format(time.RFC3339)
	if b.ID == diff.Prompt {
		at = "prompt " + s.ID + ", " + at
	}
	switch head.Kind {
	case diff.Worktree:
		b.Commit, b.FoundBy = s.Tree, at
	case diff.Index:
		if s.IndexTree == "" {
			return diff.Base{}, &diff.NoVerdictError{
				Reason: "the index was unmerged when the prompt was captured",
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
