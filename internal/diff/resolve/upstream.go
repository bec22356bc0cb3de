package resolve

import (
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// thisRepository is the name of a remote whose branches are those of the repository itself.
const thisRepository = "."

// upstream finds the branch that the one of head follows. Without one, or if it was deleted, it
// is the default branch.
func upstream(ctx context.Context, repo Repository, r diff.BaseRequest) (Branch, error) {
	s, err := repo.Settings(ctx)
	if err != nil {
		return Branch{}, err
	}
	name, followed := s.upstream(r.Head.Branch), Branch{}
	if name != "" {
		refs, err := repo.Refs(ctx, []string{name})
		if err != nil {
			return Branch{}, err
		}
		followed = refs[name]
		followed.Via = "upstream of " + r.Head.Branch
	}
	if followed.Commit == "" {
		if followed, err = defaultBranch(ctx, repo, r.DefaultBranch, usualRemote); err != nil {
			return Branch{}, err
		}
	}
	if !repo.Place().Shallow || followed.Commit == r.Head.Commit {
		return followed, nil
	}
	bases, err := repo.MergeBases(ctx, followed.Commit, []string{r.Head.Commit}) // else commits are counted that both have
	if err == nil && len(bases) == 0 {
		err = noMergeBase(repo.Place(), followed.Ref)
	}
	return followed, err
}

// upstream returns the ref in which the repository has what a branch follows; empty: it follows
// none, or one that is not fetched.
func (s *Settings) upstream(branch string) string {
	remote, merge := s.RemoteOf[branch], s.MergeOf[branch]
	if branch == "" || remote == "" || merge == "" {
		return ""
	}
	if remote == thisRepository {
		return merge
	}
	for _, spec := range s.Fetches[remote] {
		from, to, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		before, after, many := strings.Cut(from, "*")
		if !ok || !many && from != merge {
			continue
		}
		if !many {
			return to
		}
		if rest, ok := strings.CutPrefix(merge, before); ok && strings.HasSuffix(rest, after) {
			return strings.Replace(to, "*", strings.TrimSuffix(rest, after), 1)
		}
	}
	return ""
}
