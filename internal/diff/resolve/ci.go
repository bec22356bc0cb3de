package resolve

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// ciBase completes b with the base of a run on a CI system. Events that are not about a change
// have the merge base with the default branch.
func ciBase(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	ci := r.CI
	if ci.AboutPullRequest() {
		return pullRequestBase(ctx, repo, b, r)
	}
	switch ci.Event {
	case "push":
		if strings.Trim(ci.Before, "0") != "" {
			b.FoundBy = ci.Via("commit before the push")
			return eventBase(ctx, repo, b, ci.Before)
		}
		if ci.Before == "" {
			return diff.Base{}, missingInEvent("the commit before it")
		}
	case "merge_group":
		if ci.BaseSHA == "" {
			return diff.Base{}, missingInEvent("its base")
		}
		b.FoundBy = ci.Via("base of the merge group")
		return eventBase(ctx, repo, b, ci.BaseSHA)
	}
	branch, err := defaultBranch(ctx, repo, cmp.Or(r.DefaultBranch, ci.DefaultBranch), targetRemote(ci))
	if err != nil {
		return diff.Base{}, err
	}
	if r.DefaultBranch == "" && ci.DefaultBranch != "" {
		branch.Via = ci.DefaultVia()
	}
	b.Ref = branch.Ref
	return mergeBase(ctx, repo, b, branch, r.Head)
}

func missingInEvent(what string) error {
	return &diff.NoVerdictError{
		Reason: "the event that started this run does not name " + what,
		Fix:    "rulecheck --since REF",
	}
}

// eventBase completes b with a commit that the event names.
func eventBase(ctx context.Context, repo Repository, b diff.Base, commit string) (diff.Base, error) {
	found, err := optionalCommit(ctx, repo, commit)
	if err == nil && found == "" {
		s, err := repo.Settings(ctx)
		if err != nil {
			return diff.Base{}, err
		}
		return diff.Base{}, &diff.NoVerdictError{
			Reason: b.FoundBy + ": " + commit + " is not in this clone",
			Fix:    deepen(repo, s, "1", commit),
		}
	}
	b.Ref, b.Commit = "", found
	return b, err
}

// pullRequestBase finds the base of a pull request. GitHub checks out its merge with the
// target branch, whose first parent is the tip of that branch. The event and the second
// parent distinguish this merge from one that is part of the pull request.
func pullRequestBase(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	if mergedForRun(r) {
		b.FoundBy = mergedInto(r.CI)
		return eventBase(ctx, repo, b, r.CI.BaseSHA)
	}
	own, err := optionalCommit(ctx, repo, r.Head.Commit+"^2")
	if err != nil {
		return diff.Base{}, err
	}
	if own != "" && own == r.CI.HeadSHA && (r.CI.SHA == "" || r.CI.MadeByGitHub(r.Head.Commit)) {
		b.Ref, b.FoundBy = r.CI.BaseRef, mergeParent(r.CI)
		b.Commit, err = repo.Commit(ctx, r.Head.Commit+"^1")
		return b, err
	}
	s, err := repo.Settings(ctx)
	if err != nil {
		return diff.Base{}, err
	}
	if repo.Place().Shallow && r.CI.HeadSHA != "" && r.Head.Commit != r.CI.HeadSHA {
		parent, err := optionalCommit(ctx, repo, r.Head.Commit+"^1")
		if err != nil {
			return diff.Base{}, err
		}
		if parent == "" {
			return diff.Base{}, &diff.NoVerdictError{
				Reason: "the parents of the " + r.CI.Request() + "'s merge commit are not in this shallow clone",
				Fix:    deepen(repo, s, "2", r.Head.Commit),
			}
		}
	}
	target, err := pullRequestTarget(ctx, repo, r)
	if err != nil {
		return diff.Base{}, err
	}
	target.Via = r.CI.TargetVia()
	b.Ref = target.Ref
	return mergeBase(ctx, repo, b, target, r.Head)
}

// mergedForRun reports whether the head is the merge request as the system merged it for
// this run. Trains and fast-forwards need no merge commit, so the base is that of the event.
func mergedForRun(r diff.BaseRequest) bool {
	return r.CI.AboutPullRequest() && r.CI.BaseSHA != "" && r.Head.Commit == r.CI.SHA
}

func mergedInto(ci *diff.CI) string { return ci.Via("commit the " + ci.Request() + " was merged into") }

// optionalCommit resolves ref to a commit, or "" if it is not in this clone.
func optionalCommit(ctx context.Context, repo Repository, ref string) (string, error) {
	commit, err := repo.Commit(ctx, ref)
	if errors.As(err, new(*diff.NoVerdictError)) && !errors.Is(err, diff.ErrNeedsGit) && ctx.Err() == nil {
		return "", nil
	}
	return commit, err
}

// deepen returns the command that fetches a commit and, in a shallow clone, depth-1
// generations of its history. In a full clone, a depth would cut the history off.
func deepen(repo Repository, s *Settings, depth, commit string) shell.Command {
	argv := []string{"git", "fetch"}
	if repo.Place().Shallow {
		argv = append(argv, "--depth="+depth)
	}
	return shell.Line(append(argv, cmp.Or(s.Remote(repo.Place().Branch), "origin"), commit)...)
}
