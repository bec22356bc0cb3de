package native

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Changes returns the net diff from base to head.
func (e *Engine) Changes(_ context.Context, base diff.Base, head diff.Head) (_ diff.Changeset, err error) {
	set := diff.Changeset{Base: base, Head: head}
	if e.notice != "" {
		set.Notices = []string{e.notice}
	}
	c, err := e.compare(base, head)
	if err != nil {
		return diff.Changeset{}, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	records, truncated, err := c.records()
	if err != nil {
		return diff.Changeset{}, err
	}
	if truncated {
		set.Notices = append(set.Notices, diff.TruncatedSearch)
	}
	set.Changes = diff.ChangesOf(records)
	for i := range set.Changes {
		set.Changes[i].Untracked = c.work != nil && c.work.untracked[set.Changes[i].Path]
	}
	if c.work != nil {
		set.Unindexed = c.work.unchangedUntracked(set.Changes)
	}
	return set, nil
}

// unchangedUntracked lists the untracked files that are not among changes.
func (w *worktree) unchangedUntracked(changes []diff.Change) []string {
	left := maps.Clone(w.untracked)
	for i := range changes {
		delete(left, changes[i].Path)
	}
	return slices.Sorted(maps.Keys(left))
}

// Staged returns what a commit of the index would change.
func (e *Engine) Staged(ctx context.Context) (diff.Changeset, error) {
	return e.Changes(ctx, diff.Base{Commit: cmp.Or(e.place.Head, emptyTree)}, diff.Head{Kind: diff.Index})
}

// Unstaged returns the files of the working tree that differ from the index.
func (e *Engine) Unstaged(context.Context) (_ []diff.Change, err error) {
	listed, _, err := e.staged()
	if err != nil {
		return nil, err
	}
	w, err := e.openWorktree()
	if err != nil {
		return nil, err
	}
	c := sides{engine: e, work: w}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := w.present(); err != nil {
		return nil, err
	}
	c.old, c.now = listed, w.files
	records, gone, added, err := c.pairs()
	if err != nil {
		return nil, err
	}
	for _, v := range added { // with the intent to add
		records = append(records, addition(v))
	}
	for _, v := range gone {
		records = append(records, deletion(v))
	}
	return diff.ChangesOf(records), nil
}

// Files lists every file at head, in byte order.
func (e *Engine) Files(ctx context.Context, head diff.Head) ([]string, error) {
	if head.Kind == diff.Worktree {
		w, err := e.readWorktree()
		if err != nil {
			return nil, err
		}
		files := make([]string, len(w.files))
		for i, v := range w.files {
			files[i] = v.path
		}
		return files, w.root.Close()
	}
	list, err := source{e}.Entries(ctx, head, nil)
	files := make([]string, len(list))
	for i, v := range list {
		files[i] = v.Path
	}
	return files, err
}

// FilesIn lists, in byte order, the tracked files at head with a name; see [diff.Engine].
func (e *Engine) FilesIn(ctx context.Context, head diff.Head, name string) ([]string, error) {
	if head.Kind == diff.Worktree {
		head = diff.Head{Kind: diff.Index}
	}
	files, err := e.Files(ctx, head)
	in := diff.NamedIn[string](name)
	return slices.DeleteFunc(files, func(file string) bool { return !in(file) }), err
}
