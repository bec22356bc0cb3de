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
// maybe about others. Where there are many it is asked piece by piece.
func (p *Program) patch(ctx context.Context, base Base, head Head, list []Change, form []string) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	renames := []string{"--no-renames"} // which would compare contents for nothing
	if slices.ContainsFunc(list, func(c Change) bool { return c.OldPath != "" }) {
		renames = withRenames
	}
	pieces := pathspecsOf(list)
	index, whole, err := p.indexFor(ctx, base, head, list)
	if err != nil {
		return nil, err
	}
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
	if head.Kind == Commit {
		return nil, false, nil
	}
	var untracked []string
	for _, c := range list {
		if c.Untracked {
			untracked = append(untracked, c.Path)
		}
	}
	if head.Kind == Index || len(untracked) == 0 && !p.sparse() {
		return nil, true, nil
	}
	if x, err = p.privately(base); err != nil {
		return nil, true, err
	}
	x.config = unrefreshed
	if len(untracked) > 0 {
		if err := x.add(ctx, base.Commit, untracked, nil); err != nil {
			x.discard()
			return nil, true, err
		}
	}
	return x, true, nil
}
