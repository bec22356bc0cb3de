package diff

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The ids of bases.
const (
	MergeBase  = "base"        // merge base of head and the default branch
	DefaultTip = "default_tip" // tip of the default branch
	Since      = "since"       // merge base of head and a ref
	From       = "from"        // a ref itself
	Prompt     = "prompt"      // what was there when the last prompt was submitted
)

// BaseRequest says which base is wanted for a head.
type BaseRequest struct {
	ID            string // one of those above
	Ref           string // of Since and From
	Head          Head
	DefaultBranch string // as configured; empty: searched for
	CI            *CI    // of a run on GitHub; nil anywhere else
}

// Resolve finds the base asked for. It fails with an *UnjudgeableError where
// there is no such ref, no default branch or no merge base.
func (p *Program) Resolve(ctx context.Context, r BaseRequest) (Base, error) {
	if base := p.first.resolved(r); base != nil {
		return base()
	}
	return resolve(ctx, p, r)
}

// resolve decides; repo looks up.
func resolve(ctx context.Context, repo repository, r BaseRequest) (Base, error) {
	b := Base{ID: r.ID, Ref: r.Ref}
	switch r.ID {
	case From:
		if r.Ref == repo.emptyTree() {
			b.Ref, b.Commit, b.FoundBy = "", r.Ref, "the empty tree, as asked"
			return b, nil
		}
		commit, err := repo.commit(ctx, r.Ref)
		b.Commit, b.FoundBy = commit, "as asked"
		return b, err
	case MergeBase, DefaultTip, Since, Prompt:
	default:
		return Base{}, errors.New("unknown base " + strconv.Quote(r.ID) + "; want one of base, default_tip, prompt, since, from")
	}
	if r.ID == Prompt && r.CI == nil {
		return prompted(repo, b, r.Head)
	}
	if r.Head.Commit == "" {
		b.Commit, b.FoundBy = repo.emptyTree(), "the empty tree, as there is no commit yet"
		return b, nil
	}
	if r.CI != nil && (r.ID == MergeBase || r.ID == Prompt) {
		return ciBase(ctx, repo, b, r)
	}
	if r.ID == Since {
		return since(ctx, repo, b, r)
	}
	main, err := defaultBranch(ctx, repo, r.DefaultBranch)
	if err != nil {
		return Base{}, err
	}
	b.Ref = main.ref
	if r.ID == DefaultTip {
		b.Commit, b.FoundBy = main.commit, "tip of "+main.String()
		return b, nil
	}
	return mergeBase(ctx, repo, b, main, r.Head)
}

// since completes b with the merge base of its ref and head. Only where there is
// none is it asked what the ref is.
func since(ctx context.Context, repo repository, b Base, r BaseRequest) (Base, error) {
	other := branch{ref: r.Ref, commit: r.Ref}
	if r.Ref == "HEAD" {
		other.commit = repo.place().Head
	}
	found, err := mergeBase(ctx, repo, b, other, r.Head)
	if err != nil {
		if _, unknown := repo.commit(ctx, r.Ref); unknown != nil {
			return Base{}, unknown
		}
	}
	return found, err
}

// mergeBase completes b with the merge base of other and head. While a merge is
// under way its other sides are part of the head: what they bring is not the
// change that is judged.
func mergeBase(ctx context.Context, repo repository, b Base, other branch, head Head) (Base, error) {
	sides := []string{head.Commit}
	b.FoundBy = "merge base with " + other.String()
	if head.Kind != Commit {
		merging, err := mergeHeads(repo.place().GitDir)
		if err != nil {
			return Base{}, err
		}
		if len(merging) > 0 {
			sides = append(sides, merging...)
			b.FoundBy = "merge base of " + other.String() + " with HEAD and MERGE_HEAD"
		}
	}
	if len(sides) == 1 && other.commit == head.Commit {
		b.Commit = head.Commit
		return b, nil
	}
	bases, err := repo.mergeBases(ctx, other.commit, sides)
	if len(bases) == 0 && (err == nil || exited(err, 1)) {
		return Base{}, unrelated(repo.place(), other.ref, err)
	}
	if err != nil {
		return Base{}, err
	}
	b.Commit = bases[0]
	if len(bases) > 1 {
		b.FoundBy += ", git's first of " + strconv.Itoa(len(bases))
	}
	return b, nil
}

// mergeBases lists all of them; git lists first the one it would print alone.
func (p *Program) mergeBases(ctx context.Context, commit string, sides []string) ([]string, error) {
	if here := p.repo; len(here.Bases) > 0 && commit == here.Since() && slices.Equal(sides, []string{here.Head}) {
		return here.Bases, nil
	}
	out, err := p.repo.Run(ctx, append([]string{"merge-base", "--all", "--end-of-options", commit}, sides...)...)
	return strings.Fields(string(out)), err
}

// mergeHeads are the commits being merged into HEAD; usually none.
func mergeHeads(gitDir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(gitDir, "MERGE_HEAD"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}
