package diff

import (
	"cmp"
	"context"
	"errors"
	"strings"
)

// CI is what a run on GitHub knows of the change it was started for. Then the
// bases MergeBase and Prompt are what the run is about. Nothing is fetched: what a
// shallow clone lacks is an *UnjudgeableError with the command that gets it.
type CI struct {
	Event         string // pull_request, push, merge_group, workflow_dispatch, …
	BaseRef       string // of a pull request: the branch it is for
	HeadSHA       string // of a pull request: the tip of its own branch
	Before        string // of a push: the commit the ref had; zeros where the ref is new
	BaseSHA       string // of a merge group: the commit it was built on
	DefaultBranch string // of the repository, as GitHub has it; used where none is configured
}

// ciBase completes b with the base of a run on GitHub. Events that are about no
// change in particular have the merge base with the default branch.
func ciBase(ctx context.Context, repo repository, b Base, r BaseRequest) (Base, error) {
	ci := r.CI
	switch ci.Event {
	case "pull_request", "pull_request_target":
		return pullRequestBase(ctx, repo, b, r)
	case "push":
		if strings.Trim(ci.Before, "0") != "" {
			b.FoundBy = "commit before the push (GitHub)"
			return presentBase(ctx, repo, b, ci.Before)
		}
		if ci.Before == "" {
			return Base{}, noPayload("the commit before it")
		}
	case "merge_group":
		if ci.BaseSHA == "" {
			return Base{}, noPayload("its base")
		}
		b.FoundBy = "base of the merge group (GitHub)"
		return presentBase(ctx, repo, b, ci.BaseSHA)
	}
	main, err := defaultBranch(ctx, repo, cmp.Or(r.DefaultBranch, ci.DefaultBranch))
	if err != nil {
		return Base{}, err
	}
	if r.DefaultBranch == "" && ci.DefaultBranch != "" {
		main.how = "default branch, GitHub"
	}
	b.Ref = main.ref
	return mergeBase(ctx, repo, b, main, r.Head)
}

func noPayload(what string) error {
	return &UnjudgeableError{
		Reason: "the event that started this run does not name " + what,
		Mend:   "rulecheck --since REF",
	}
}

// presentBase completes b with a commit that the event names.
func presentBase(ctx context.Context, repo repository, b Base, commit string) (Base, error) {
	found, err := optionalCommit(ctx, repo, commit)
	if err == nil && found == "" {
		s, err := repo.settings(ctx)
		if err != nil {
			return Base{}, err
		}
		return Base{}, &UnjudgeableError{
			Reason: b.FoundBy + ": " + commit + " is not in this clone",
			Mend:   deepen(repo, s, "1", commit),
		}
	}
	b.Ref, b.Commit = "", found
	return b, err
}

// pullRequestBase finds what a pull request is compared with. GitHub checks out
// its merge with the branch it is for; the first parent of that merge is what the
// branch was. A merge that the pull request itself ends in is told from it by the
// second parent.
func pullRequestBase(ctx context.Context, repo repository, b Base, r BaseRequest) (Base, error) {
	own, err := optionalCommit(ctx, repo, r.Head.Commit+"^2")
	if err != nil {
		return Base{}, err
	}
	if own != "" && own == r.CI.HeadSHA {
		b.Ref, b.FoundBy = r.CI.BaseRef, "first parent of the pull request's merge into "+cmp.Or(r.CI.BaseRef, "its base")+" (GitHub)"
		b.Commit, err = repo.commit(ctx, r.Head.Commit+"^1")
		return b, err
	}
	s, err := repo.settings(ctx)
	if err != nil {
		return Base{}, err
	}
	if repo.place().Shallow && r.Head.Commit != r.CI.HeadSHA {
		parent, err := optionalCommit(ctx, repo, r.Head.Commit+"^1")
		if err != nil {
			return Base{}, err
		}
		if parent == "" {
			return Base{}, &UnjudgeableError{
				Reason: "the parents of the pull request's merge commit are not in this shallow clone",
				Mend:   deepen(repo, s, "2", r.Head.Commit),
			}
		}
	}
	if r.CI.BaseRef == "" {
		return Base{}, noPayload("the branch the pull request is for")
	}
	ref := cmp.Or(s.remote(repo.place().Branch), "origin") + "/" + r.CI.BaseRef
	commit, err := repo.commit(ctx, "refs/remotes/"+ref)
	if errors.As(err, new(*UnjudgeableError)) {
		return Base{}, unknown(ctx, repo, ref, err)
	}
	if err != nil {
		return Base{}, err
	}
	b.Ref = ref
	return mergeBase(ctx, repo, b, branch{ref: ref, commit: commit, how: "base of the pull request, GitHub"}, r.Head)
}

// optionalCommit resolves ref to a commit; empty where there is no such commit here.
func optionalCommit(ctx context.Context, repo repository, ref string) (string, error) {
	commit, err := repo.commit(ctx, ref)
	if errors.As(err, new(*UnjudgeableError)) && !errors.Is(err, ErrNeedsGit) && ctx.Err() == nil {
		return "", nil
	}
	return commit, err
}

// deepen is the command that gets a commit and, in a shallow clone, depth-1
// generations of its history; in any other, depth would cut the history off.
func deepen(repo repository, s *settings, depth, commit string) string {
	limit := ""
	if repo.place().Shallow {
		limit = "--depth=" + depth + " "
	}
	return "git fetch " + limit + cmp.Or(s.remote(repo.place().Branch), "origin") + " " + commit
}
