package program

import (
	"bytes"
	"context"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// patchForm has no context, one hunk for each run of lines, and no setting that
// configuration would choose.
var patchForm = []string{
	"-p", "-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
	"--src-prefix=a/", "--dst-prefix=b/",
}

// minPiece is the number of files from which another concurrent process is worth its start.
const minPiece = 8

// patch returns what git diff prints about changes, none of which is a submodule, and
// perhaps about others.
func (p *Engine) patch(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, form []string,
) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	index, whole, err := p.indexFor(ctx, base, head, list)
	if err != nil {
		return nil, err
	}
	renames := renameOptions(list)
	call := func(args []string) git.Call { return git.Call{Args: args, Env: p.snapshotObjects(base)} }
	compared := head
	switch {
	case index != nil:
		defer index.remove()
		call = index.call
		if head.Kind == diff.Commit {
			compared = diff.Head{Kind: diff.Index}
		}
	case head.Kind != diff.Commit:
		// Git writes only an index that it has refreshed, so this may be the user's own.
		call = func(args []string) git.Call {
			return git.Call{Args: slices.Concat(unrefreshed, args), Env: p.snapshotObjects(base)}
		}
	}
	pieces := pathspecsOf(list)
	share := (len(list) + runtime.NumCPU() - 1) / runtime.NumCPU()
	switch {
	case len(pieces) > 1 && whole:
		pieces = [][]string{nil} // each piece would read the whole index again
	case len(pieces) == 1 && !whole && share >= minPiece && renames[0] == "--no-renames":
		pieces = nil
		for part := range slices.Chunk(list, share) {
			pieces = append(pieces, pathspecsOf(part)...)
		}
	}
	parts, err := iter.MapErr(pieces, func(specs *[]string) ([]byte, error) {
		res, err := p.query(ctx, call(append(compareArgs(base.Commit, compared, form, renames), *specs...)))
		return res.Stdout, missingObject(err)
	})
	return bytes.Join(parts, nil), err
}

// renameOptions has git search for renames only if there are any: it would compare contents
// in vain.
func renameOptions(list []diff.Change) []string {
	if slices.ContainsFunc(list, func(c diff.Change) bool { return c.OldPath != "" }) {
		return withRenames
	}
	return []string{"--no-renames"}
}

// indexFor returns an index in which every change is as at head: a small private one if the
// repository's own is large, a copy if untracked files must be added, or nil for the
// repository's own (for a commit: none). whole reports whether the index holds all files.
func (p *Engine) indexFor(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change,
) (x *privateIndex, whole bool, err error) {
	if p.largeIndex() && !p.sparseCheckout() {
		if entries := entriesFor(base, head, list); entries != nil {
			x, err = p.newIndexWith(ctx, base, entries)
			return x, false, err
		}
	}
	untracked := untrackedAmong(list)
	if head.Kind != diff.Worktree || len(untracked) == 0 && !p.sparse() {
		return nil, head.Kind != diff.Commit, nil
	}
	if x, err = p.copyOfIndex(base); err != nil {
		return nil, true, err
	}
	x.config = unrefreshed
	if len(untracked) > 0 {
		if err := x.add(ctx, base.Commit, untracked, nil); err != nil {
			x.remove()
			return nil, true, err
		}
	}
	return x, true, nil
}

func untrackedAmong(list []diff.Change) []string {
	var names []string
	for i := range list {
		if list[i].Untracked {
			names = append(names, list[i].Path)
		}
	}
	return names
}
