package resolve

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// targetBase completes b with the tip of the branch that a change is for: the branch that
// the request names, the target of a pull request, else the default branch. The author of
// a change chooses its merge base and can push any other branch, so neither counts.
func targetBase(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (diff.Base, error) {
	if named, err := namedBranch(ctx, repo, r.Ref); err != nil || named.Commit != "" {
		b.Ref, b.Commit, b.FoundBy = named.Ref, named.Commit, "tip of "+named.String()
		return b, err
	}
	b.Ref = ""
	if r.CI != nil {
		if found, done, err := eventTarget(ctx, repo, b, r); done || err != nil {
			return found, err
		}
	}
	configured := r.DefaultBranch
	if r.CI != nil {
		configured = cmp.Or(configured, r.CI.DefaultBranch)
	}
	return defaultTip(ctx, repo, b, r, configured, targetRemote(r.CI))
}

// defaultTip completes b with the tip of the default branch. Where there is no commit yet,
// there may be no such branch.
func defaultTip(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest, configured string, remote remoteChoice) (diff.Base, error) {
	branch, err := defaultBranch(ctx, repo, configured, remote)
	switch {
	case errors.As(err, new(*diff.NoVerdictError)) && r.Head.Commit == "":
		return noCommitYet(repo.Place(), b), nil
	case err != nil:
		return diff.Base{}, err
	}
	b.Ref, b.Commit, b.FoundBy = branch.Ref, branch.Commit, "tip of "+branch.String()
	return b, nil
}

// namedBranch returns the branch that ref names; none if it is another kind of revision.
func namedBranch(ctx context.Context, repo Repository, ref string) (Branch, error) {
	if ref == "" || ref == "HEAD" || strings.ContainsAny(ref, "*?[\\ ") {
		return Branch{}, nil
	}
	names := []string{"refs/heads/" + ref, "refs/remotes/" + ref}
	if strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/remotes/") {
		names = []string{ref}
	}
	refs, err := repo.Refs(ctx, names)
	if err != nil {
		return Branch{}, err
	}
	for _, name := range names {
		if found, ok := refs[name]; ok {
			return found, nil
		}
	}
	return Branch{}, nil
}

// eventTarget finds the target that the event of a run names; done is false if
// it names none.
func eventTarget(ctx context.Context, repo Repository, b diff.Base, r diff.BaseRequest) (found diff.Base, done bool, err error) {
	ci := r.CI
	switch {
	case mergedForRun(r):
		b.FoundBy = mergedInto(ci)
		found, err := eventBase(ctx, repo, b, ci.BaseSHA)
		return found, true, err
	case ci.AboutPullRequest():
		if ci.MadeByGitHub(r.Head.Commit) {
			own, err := optionalCommit(ctx, repo, r.Head.Commit+"^2")
			if err != nil {
				return diff.Base{}, true, err
			}
			if own != "" && own == ci.HeadSHA {
				b.Commit, err = repo.Commit(ctx, r.Head.Commit+"^1")
				b.Ref, b.FoundBy = ci.BaseRef, mergeParent(ci)
				return b, true, err
			}
		}
		branch, err := pullRequestTarget(ctx, repo, r)
		b.Ref, b.Commit, b.FoundBy = branch.Ref, branch.Commit, "tip of "+branch.Ref+" ("+ci.TargetVia()+")"
		return b, true, err
	case ci.Event == "merge_group" && ci.BaseSHA != "":
		b.FoundBy = ci.Via("base of the merge group")
		found, err := eventBase(ctx, repo, b, ci.BaseSHA)
		return found, true, err
	case ci.Event == "push" && strings.Trim(ci.Before, "0") != "" && ci.PushesDefaultBranch():
		b.FoundBy = ci.Via("commit before the push")
		found, err := eventBase(ctx, repo, b, ci.Before)
		return found, true, err
	}
	return b, false, nil
}

func mergeParent(ci *diff.CI) string {
	return ci.Via("first parent of the " + ci.Request() + "'s merge into " + cmp.Or(ci.BaseRef, "its base"))
}

// pullRequestTarget returns the tip of the branch that a pull request is for.
func pullRequestTarget(ctx context.Context, repo Repository, r diff.BaseRequest) (Branch, error) {
	if r.CI.BaseRef == "" {
		return Branch{}, missingInEvent("the branch the " + r.CI.Request() + " is for")
	}
	s, err := repo.Settings(ctx)
	if err != nil {
		return Branch{}, err
	}
	remote, err := targetRemote(r.CI)(s, repo.Place().Branch)
	if err != nil {
		return Branch{}, err
	}
	ref := cmp.Or(remote, "origin") + "/" + r.CI.BaseRef
	commit, err := repo.Commit(ctx, "refs/remotes/"+ref)
	if errors.As(err, new(*diff.NoVerdictError)) {
		return Branch{}, UnknownRevision(ctx, repo, ref, err)
	}
	return Branch{Ref: ref, Commit: commit}, err
}

// remoteChoice chooses the remote whose branches are asked for, by the current branch.
type remoteChoice func(s *Settings, branch string) (string, error)

// usualRemote chooses the remote of the branch; see [Settings.Remote].
func usualRemote(s *Settings, branch string) (string, error) { return s.Remote(branch), nil }

// targetRemote chooses the remote that changes are made for: in a run of CI that of
// the repository that runs it, else origin or the only one. The remote of the current
// branch may be the author's own.
func targetRemote(ci *diff.CI) remoteChoice {
	return func(s *Settings, _ string) (string, error) {
		if ci != nil && ci.Repository != "" {
			return hostedRemote(s, ci)
		}
		return s.Remote(""), nil
	}
}

// hostedRemote returns the remote of the repository that runs the workflow. A workflow can
// check out a fork, and then origin is the fork.
func hostedRemote(s *Settings, ci *diff.CI) (string, error) {
	names := append([]string{"origin"}, s.Remotes...)
	i := slices.IndexFunc(names, func(name string) bool { return slices.ContainsFunc(s.URLs[name], ci.IsRepository) })
	if i >= 0 {
		return names[i], nil
	}
	if len(s.Remotes) == 0 {
		return "", nil
	}
	branch := cmp.Or(ci.BaseRef, ci.DefaultBranch, "main")
	e := &diff.NoVerdictError{Reason: "no remote is the repository " + strconv.Quote(ci.Repository) + ", in which CI runs: the remotes are " + shown(s.Remotes)}
	if refspec := "+refs/heads/" + branch + ":refs/remotes/target/" + branch; plain(refspec) && plain(ci.Repository) {
		e.Fix = shell.Sprintf("git remote add target %s && git fetch target %s", ci.RepositoryURL(), refspec)
	}
	return "", e
}

// plain reports whether a shell takes text as one word as it is.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return !strings.ContainsRune("/:+._-@", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}
