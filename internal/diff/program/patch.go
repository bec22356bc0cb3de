package program

import (
	"context"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// patchForm has no context, one hunk for each run of lines, and nothing that configuration or
// attributes would choose: also a file that they call binary has lines. The entries before the
// patch show whether it is complete.
var patchForm = []string{
	"--raw", "-z", "--no-abbrev",
	"-p", "-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic", "--text",
	"--src-prefix=a/", "--dst-prefix=b/",
}

// minPiece is the number of files from which another concurrent process is worth its start.
const minPiece = 8

// patch returns the patch that git diff prints of changes, none of which is a submodule, and
// perhaps of others. If git does not find all of them when it is asked for them alone, because
// it pairs renames differently, it is asked for everything.
func (p *Engine) patch(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out, err := p.patchOf(ctx, base, head, list, false)
	if err != nil || out.completeFor(base, list) == nil {
		return out.patch, err
	}
	if out, err = p.patchOf(ctx, base, head, list, true); err == nil {
		err = out.completeFor(base, list)
	}
	return out.patch, err
}

// patchOf asks git for the patch of changes, or of all changes if these are only some.
func (p *Engine) patchOf(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, all bool,
) (patched, error) {
	index, whole, err := p.indexFor(ctx, base, head, list, all)
	if err != nil {
		return patched{}, err
	}
	renames := renameOptions(list)
	if all {
		renames = withRenames
	}
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
	if all {
		pieces = [][]string{nil}
	}
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
	parts, err := iter.MapErr(pieces, func(specs *[]string) (out patched, err error) {
		res, err := p.query(ctx, call(append(compareArgs(base.Commit, compared, patchForm, renames), *specs...)))
		if err != nil {
			return out, MissingObject(err)
		}
		out.records, out.patch, err = diff.ParseRecordsAndPatch(res.Stdout)
		return out, err
	})
	var out patched
	for _, part := range parts {
		out.records, out.patch = append(out.records, part.records...), append(out.patch, part.patch...)
	}
	return out, err
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
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, all bool,
) (x *privateIndex, whole bool, err error) {
	if !all && p.largeIndex() && !p.sparseCheckout() {
		plain, err := p.storedAsTheyAre(ctx, head, list)
		if err != nil {
			return nil, false, err
		}
		if entries := entriesFor(base, head, list); plain && entries != nil {
			x, err = p.newIndexWith(ctx, base, entries)
			return x, false, err
		}
	}
	untracked := untrackedAmong(list)
	if all && head.Kind == diff.Worktree { // others may take part in renames, too
		if untracked, err = p.untracked(ctx); err != nil {
			return nil, true, err
		}
		if untracked, err = p.withoutUnborn(ctx, base, head, untracked); err != nil {
			return nil, true, err
		}
	}
	if head.Kind != diff.Worktree || len(untracked) == 0 {
		return nil, head.Kind != diff.Commit, nil
	}
	if x, err = p.copyOfIndex(ctx, base); err != nil {
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
