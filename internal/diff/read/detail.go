package read

import (
	"context"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// DetailSource provides the facts that details are made of.
type DetailSource interface {
	Backend
	// Before returns the source of the files at a base.
	Before(base diff.Base) Backend
	// Edits returns the lines that each change adds and removes, by path.
	Edits(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) (map[string]diff.Edit, error)
	// Sizes returns the length of objects in bytes.
	Sizes(ctx context.Context, objects []string) (map[string]int64, error)
	// LFSFiles reports which files of the working tree attributes assign to Git LFS.
	LFSFiles(ctx context.Context, paths []string) (map[string]bool, error)
}

// Details returns, by path, the requested parts of each change.
func Details(
	ctx context.Context, from DetailSource, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part,
) (map[string]*diff.Detail, error) {
	found := make(map[string]*diff.Detail, len(list))
	for _, c := range list {
		found[c.Path] = &diff.Detail{}
	}
	q := query{from, base, head, list, parts, found}
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	if q.asks(diff.PartAddedLines, diff.PartAddedCount, diff.PartRemovedLines) {
		all.Go(q.lines)
	}
	if q.asks(diff.PartBinary, diff.PartLFS, diff.PartContent) {
		all.Go(q.texts)
	}
	if q.asks(diff.PartSize) {
		all.Go(q.sizes)
	}
	return found, all.Wait()
}

// query collects details of a list of changes. Its methods may run concurrently: each fills
// in different fields.
type query struct {
	from  DetailSource
	base  diff.Base
	head  diff.Head
	list  []diff.Change
	parts []diff.Part
	found map[string]*diff.Detail
}

func (q query) asks(parts ...diff.Part) bool {
	return slices.ContainsFunc(parts, func(p diff.Part) bool { return slices.Contains(q.parts, p) })
}

// lines fills in the added and removed lines.
func (q query) lines(ctx context.Context) error {
	edits, err := q.from.Edits(ctx, q.base, q.head, q.list)
	for name, d := range q.found {
		e := edits[name]
		if !isText(e) {
			e = diff.Edit{}
		}
		if q.asks(diff.PartAddedLines) {
			d.AddedLines = append([]diff.Line{}, e.Added...)
		}
		if q.asks(diff.PartAddedCount) {
			d.AddedCount = new(len(e.Added))
		}
		if q.asks(diff.PartRemovedLines) {
			d.RemovedLines = append([]diff.Line{}, e.Removed...)
		}
	}
	return err
}

// isText reports whether no line of an edit contains a NUL. Attributes are not consulted,
// because they can be part of the change that is checked.
func isText(e diff.Edit) bool {
	binary := func(l diff.Line) bool { return strings.IndexByte(l.Text, 0) >= 0 }
	return !slices.ContainsFunc(e.Added, binary) && !slices.ContainsFunc(e.Removed, binary)
}

// texts fills in the parts that depend on content, reading as much of it as they need.
func (q query) texts(ctx context.Context) error {
	limit := int64(diff.BinaryProbe)
	if q.asks(diff.PartContent) {
		limit = diff.ContentLimit + 1
	}
	now, old, err := q.contents(ctx, limit)
	if err != nil {
		return err
	}
	lfs := map[string]bool{}
	if q.asks(diff.PartLFS) && q.head.Kind == diff.Worktree {
		if lfs, err = q.from.LFSFiles(ctx, q.atHead()); err != nil {
			return err
		}
	}
	for _, c := range q.list {
		after, before := now[c.Path], old[c.Names()[0]]
		if c.Status == diff.Added { // the old name of a rename may be in use again
			before = nil
		}
		d := q.found[c.Path]
		if q.asks(diff.PartBinary) {
			d.Binary = new(diff.IsBinary(after) || diff.IsBinary(before))
		}
		if q.asks(diff.PartLFS) {
			d.LFS = new(lfs[c.Path] || diff.IsLFSPointer(after))
		}
		if q.asks(diff.PartContent) {
			d.Content = &diff.Content{Head: textOf(after), Base: textOf(before)}
		}
	}
	return nil
}

// contents returns the content of the changed files on both sides, by their names there; at
// base only if a part depends on it. The objects of both sides are read together, because
// the source of a base has those of head, too.
func (q query) contents(ctx context.Context, limit int64) (now, old map[string][]byte, err error) {
	var after, before []Entry
	from := Backend(q.from)
	if q.asks(diff.PartBinary, diff.PartContent) {
		from = q.from.Before(q.base)
		if before, err = q.entriesAtBase(ctx, from); err != nil {
			return nil, nil, err
		}
	}
	if q.head.Kind != diff.Worktree {
		if after, err = q.entriesAtHead(ctx); err != nil {
			return nil, nil, err
		}
	}
	blobs, err := from.Blobs(ctx, objectsOf(slices.Concat(before, after)), limit)
	if err != nil {
		return nil, nil, err
	}
	now, old = byPath(after, blobs), byPath(before, blobs)
	if q.head.Kind == diff.Worktree {
		now, err = worktreeContents(ctx, q.from, q.atHead(), limit, true)
	}
	return now, old, err
}

// entriesAtHead returns the changed files of an index or commit: from the ids in the changes,
// or from the source if a change has none.
func (q query) entriesAtHead(ctx context.Context) ([]Entry, error) {
	names := q.atHead()
	if len(names) == 0 {
		return nil, nil
	}
	asked := setOf(names)
	list := make([]Entry, 0, len(names))
	for i := range q.list {
		if c := &q.list[i]; asked[c.Path] && c.Object != "" {
			list = append(list, Entry{Path: c.Path, Mode: c.Mode, Object: c.Object})
		}
	}
	if len(list) == len(names) {
		return list, nil
	}
	list, err := q.from.Entries(ctx, q.head, names)
	return files(list, names), err
}

// entriesAtBase returns the changed files at base, by their names there: from the ids in the
// changes, or from the source for those that have none, and for changes of type, which may
// have been submodules.
func (q query) entriesAtBase(ctx context.Context, from Backend) ([]Entry, error) {
	var list []Entry
	var unknown []string
	for i := range q.list {
		name := q.list[i].Names()[0]
		switch c := &q.list[i]; {
		case c.Status == diff.Added:
		case c.Status == diff.TypeChanged || c.OldObject == "":
			unknown = append(unknown, name)
		case c.Kind != diff.Submodule:
			list = append(list, Entry{Path: name, Object: c.OldObject})
		}
	}
	if len(unknown) == 0 {
		return list, nil
	}
	more, err := from.Entries(ctx, diff.Head{Kind: diff.Commit, Commit: q.base.Commit}, unknown)
	return append(list, files(more, unknown)...), err
}

// files returns the entries whose names are asked for, without submodules.
func files(list []Entry, asked []string) []Entry {
	set := setOf(asked)
	return slices.DeleteFunc(list, func(e Entry) bool { return !set[e.Path] || diff.KindOf(e.Mode) == diff.Submodule })
}

// textOf returns content as text, or nil if a Detail does not include it.
func textOf(content []byte) *string {
	if content == nil || len(content) > diff.ContentLimit || diff.IsBinary(content) {
		return nil
	}
	return new(string(content))
}

// atHead returns the names of the files that exist at head.
func (q query) atHead() []string {
	var names []string
	for _, c := range q.list {
		if c.Status != diff.Deleted && c.Kind != diff.Submodule {
			names = append(names, c.Path)
		}
	}
	return names
}
