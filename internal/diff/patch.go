package diff

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/git"
)

// patchForm has no context, one hunk for each run of lines, and nothing that
// configuration would choose.
var patchForm = []string{
	"-p", "-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
	"--src-prefix=a/", "--dst-prefix=b/",
}

// patchShare is of how many files a process of its own tells the lines sooner than
// another that tells of them too.
const patchShare = 8

// patch is what git diff prints about changes, none of which is a submodule, and
// maybe about others. Of few in a small repository git is asked at once, while the
// caller has nothing else at work: a process starts twice as fast then.
func (p *Program) patch(ctx context.Context, base Base, head Head, list []Change, form []string) (wait func() ([]byte, error)) {
	if len(list) == 0 {
		return func() ([]byte, error) { return nil, nil }
	}
	pieces := pathspecsOf(list)
	if p.largeIndex() || p.sparse() || !p.asItIs(head, list) || len(pieces) > 1 || len(list) >= patchShare*runtime.NumCPU() {
		return func() ([]byte, error) { return p.patchOf(ctx, base, head, list, form, pieces) }
	}
	answer := p.repo.Start(ctx, git.Call{
		Args: slices.Concat(unrefreshed, compare(base.Commit, head, form, renamesAmong(list)), pieces[0]), Env: p.reading(base),
	})
	return func() ([]byte, error) {
		res, err := answer()
		return res.Stdout, lacking(err)
	}
}

// renamesAmong has git look for renames only where there are any: it would compare
// contents for nothing.
func renamesAmong(list []Change) []string {
	if slices.ContainsFunc(list, func(c Change) bool { return c.OldPath != "" }) {
		return withRenames
	}
	return []string{"--no-renames"}
}

// patchOf asks for a patch, piece by piece where there are many.
func (p *Program) patchOf(ctx context.Context, base Base, head Head, list []Change, form []string, pieces [][]string) ([]byte, error) {
	index, whole, err := p.indexFor(ctx, base, head, list)
	if err != nil {
		return nil, err
	}
	renames := renamesAmong(list)
	share := (len(list) + runtime.NumCPU() - 1) / runtime.NumCPU()
	switch {
	case len(pieces) > 1 && whole:
		pieces = [][]string{nil} // each would read all of it again
	case len(pieces) == 1 && !whole && share >= patchShare && renames[0] == "--no-renames":
		pieces = nil
		for part := range slices.Chunk(list, share) {
			pieces = append(pieces, pathspecsOf(part)...)
		}
	}
	var call func(args []string) git.Call
	switch {
	case index != nil:
		defer index.discard()
		call = index.call
		if head.Kind == Commit {
			head = Head{Kind: Index}
		}
	case head.Kind == Commit:
		call = func(args []string) git.Call { return git.Call{Args: args, Env: p.reading(base)} }
	default:
		// Git writes an index only that it has refreshed, so this may be the user's.
		call = func(args []string) git.Call {
			return git.Call{Args: slices.Concat(unrefreshed, args), Env: p.reading(base)}
		}
	}
	type piece struct {
		patch []byte
		err   error
	}
	found := iter.Mapper[[]string, piece]{MaxGoroutines: runtime.NumCPU()}.Map(pieces, func(specs *[]string) piece {
		res, err := p.storeless(ctx, call(append(compare(base.Commit, head, form, renames), *specs...)))
		return piece{res.Stdout, lacking(err)}
	})
	var joined bytes.Buffer
	for _, f := range found {
		if f.err != nil {
			return nil, f.err
		}
		joined.Write(f.patch)
	}
	return joined.Bytes(), nil
}

// enough is the size of an index, in bytes, from which to read it takes longer than
// to make another: that of some ten thousand files.
const enough = 1 << 20

func (p *Program) largeIndex() bool {
	info, err := os.Stat(p.repo.IndexFile)
	return err == nil && info.Size() >= p.enough
}

// indexFor is an index in which every one of the changes stands as it is at head.
// Where the repository's own is large, and what git said of the changes is
// remembered, they are all it has: even of a commit git reads them from it sooner
// than from its trees. whole says that it is the repository's own; nil stands for
// that and, of a commit, for none.
func (p *Program) indexFor(ctx context.Context, base Base, head Head, list []Change) (x *privateIndex, whole bool, err error) {
	if entries := p.remembered(base, head, list); entries != nil && p.largeIndex() && !p.sparseCheckout() {
		x, err = p.holding(ctx, base, entries)
		return x, false, err
	}
	if p.asItIs(head, list) {
		return nil, head.Kind != Commit, nil
	}
	if x, err = p.privately(base); err != nil {
		return nil, true, err
	}
	x.config = unrefreshed
	if untracked := untrackedAmong(list); len(untracked) > 0 {
		if err := x.add(ctx, base.Commit, untracked, nil); err != nil {
			x.discard()
			return nil, true, err
		}
	}
	return x, true, nil
}

// asItIs reports whether git tells of the changes without an index of ours.
func (p *Program) asItIs(head Head, list []Change) bool {
	return head.Kind != Worktree || len(untrackedAmong(list)) == 0 && !p.sparse()
}

func untrackedAmong(list []Change) []string {
	var names []string
	for _, c := range list {
		if c.Untracked {
			names = append(names, c.Path)
		}
	}
	return names
}
