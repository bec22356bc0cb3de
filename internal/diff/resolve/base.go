// Package resolve decides what is compared: the base that a check asks for, found by
// configuration, by the event of a CI run or by the snapshot of a prompt. It looks nothing
// up itself; each engine provides a Repository.
package resolve

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// Base finds the base of a request. It fails with a *diff.NoVerdictError if the ref, the
// default branch or the merge base does not exist.
func Base(ctx context.Context, repo Repository, r diff.BaseRequest) (diff.Base, error) {
	b := diff.Base{ID: r.ID, Ref: r.Ref}
	emptyTree := diff.EmptyTree(repo.Place().ObjectFormat)
	switch r.ID {
	case diff.From:
		if r.Ref == emptyTree {
			b.Ref, b.Commit, b.FoundBy = "", r.Ref, "the empty tree (--from)"
			return b, nil
		}
		if strings.HasPrefix(r.Ref, snapshot.FromPrefix) {
			return fromPrompt(repo.Place(), b, r.Head)
		}
		commit, err := repo.Commit(ctx, r.Ref)
		b.Commit, b.FoundBy = commit, "--from"
		return b, err
	case diff.Target:
		return targetBase(ctx, repo, b, r)
	case diff.MergeBase, diff.DefaultTip, diff.Since, diff.Prompt, diff.Upstream:
	default:
		return diff.Base{}, errors.New("unknown base " + strconv.Quote(r.ID) + "; want one of base, default_tip, prompt, since, from")
	}
	if r.ID == diff.Prompt && r.CI == nil {
		return promptBase(repo.Place(), b, r)
	}
	remote := remoteChoice(usualRemote)
	if r.Foreign {
		remote = targetRemote(r.CI)
	}
	if r.ID == diff.DefaultTip {
		return defaultTip(ctx, repo, b, r, r.DefaultBranch, remote)
	}
	if r.Head.Commit == "" {
		return unbornBase(ctx, repo, b, r)
	}
	if r.CI != nil && (r.ID == diff.MergeBase || r.ID == diff.Prompt) {
		return ciBase(ctx, repo, b, r)
	}
	if r.ID == diff.Since {
		return sinceBase(ctx, repo, b, r)
	}
	if r.ID == diff.Upstream {
		branch, err := upstream(ctx, repo, r)
		b.Ref, b.Commit, b.FoundBy = branch.Ref, branch.Commit, "tip of "+branch.String()
		return b, err
	}
	branch, err := defaultBranch(ctx, repo, r.DefaultBranch, remote)
	if err != nil {
		return diff.Base{}, err
	}
	b.Ref = branch.Ref
	return mergeBase(ctx, repo, b, branch, r.Head)
}

// unbornBase completes b for a branch without a commit. If there is one to compare it with,
// they have no commit in common, as the first commit of an orphan branch; a damaged HEAD
// looks the same.
func unbornBase(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	var err error
	switch r.ID {
	case diff.Since:
		_, err = repo.Commit(ctx, r.Ref)
	case diff.MergeBase:
		var branch Branch
		branch, err = defaultBranch(ctx, repo, r.DefaultBranch, usualRemote)
		r.Ref = branch.Ref
	default:
		return noCommitYet(repo.Place(), b), nil
	}
	switch {
	case errors.As(err, new(*diff.NoVerdictError)):
		return noCommitYet(repo.Place(), b), nil
	case err != nil:
		return diff.Base{}, err
	}
	return diff.Base{}, noMergeBase(repo.Place(), ShortRef(r.Ref))
}

// noCommitYet completes b where there is nothing to compare with.
func noCommitYet(place *git.Repo, b diff.Base) diff.Base {
	b.Commit, b.FoundBy = diff.EmptyTree(place.ObjectFormat), "the empty tree, as there is no commit yet"
	return b
}

// sinceBase completes b with the merge base of its ref and head. The ref itself is looked
// up only if there is no merge base.
func sinceBase(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	other := Branch{Ref: r.Ref, Commit: r.Ref}
	if r.Ref == "HEAD" {
		other.Commit = repo.Place().Head
	}
	found, err := mergeBase(ctx, repo, b, other, r.Head)
	if err != nil {
		if _, unknown := repo.Commit(ctx, r.Ref); unknown != nil {
			return diff.Base{}, unknown
		}
	}
	return found, err
}

// mergeBase completes b with the merge base of other and head. During a merge the commits
// being merged are part of the head, so that their changes are not checked.
func mergeBase(ctx context.Context, repo Repository, b diff.Base, other Branch, head diff.Head) (diff.Base, error) {
	sides := []string{head.Commit}
	b.FoundBy = "merge base with " + other.String()
	if head.Kind != diff.Commit {
		merging, err := repo.MergeHeads()
		if err != nil {
			return diff.Base{}, err
		}
		if len(merging) > 0 {
			sides = append(sides, merging...)
			b.FoundBy = "merge base of " + other.String() + " with HEAD and MERGE_HEAD"
		}
	}
	if len(sides) == 1 && other.Commit == head.Commit {
		b.Commit = head.Commit
		return b, nil
	}
	bases, err := repo.MergeBases(ctx, other.Commit, sides)
	if err != nil {
		return diff.Base{}, err
	}
	if len(bases) == 0 {
		return diff.Base{}, noMergeBase(repo.Place(), other.Ref)
	}
	b.Commit = bases[0]
	if len(bases) > 1 {
		b.FoundBy += ", git's first of " + strconv.Itoa(len(bases))
	}
	return b, nil
}
