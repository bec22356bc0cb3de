package read

import (
	"context"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"

	"github.com/rulecheck/rulecheck/internal/charset"
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
	all.Go(func(ctx context.Context) error {
		if q.asks(diff.PartAddedLines, diff.PartAddedCount, diff.PartRemovedLines) {
			if err := q.lines(ctx); err != nil {
				return err
			}
		}
		if q.asks(diff.PartBinary, diff.PartLFS, diff.PartContent) {
			return q.texts(ctx)
		}
		return nil
	})
	if q.asks(diff.PartSize) {
		all.Go(q.sizes)
	}
	return found, all.Wait()
}

// query collects details of a list of changes. Its methods may run concurrently: each fills
// in different fields, but for lines and texts.
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

// lines fills in the added and removed lines: of the bytes of a file as git compares them, and
// of its text if that is encoded.
func (q query) lines(ctx context.Context) error {
	edits, err := q.from.Edits(ctx, q.base, q.head, q.list)
	if err != nil {
		return err
	}
	var encoded, stored []diff.Change
	for _, c := range q.list {
		switch e := edits[c.Path]; {
		case slices.ContainsFunc(e.Added, isEncoded), slices.ContainsFunc(e.Removed, isEncoded):
			encoded = append(encoded, c)
		case slices.ContainsFunc(e.Added, isOfPointer):
			stored = append(stored, c)
		}
	}
	decoded, err := DecodeChanges(ctx, q.from, q.base, q.head, encoded)
	if err != nil {
		return err
	}
	elsewhere, err := q.inLFS(ctx, stored)
	if err != nil {
		return err
	}
	for name, d := range q.found {
		e := edits[name]
		if t, ok := decoded[name]; ok {
			e, d.Raw = t.Edit, t.hidden(e)
			d.Unread, d.Expected = t.Unread, t.Unread == diff.UnreadFormat
		}
		if expected, ok := elsewhere[name]; ok {
			d.Unread, d.Expected = diff.UnreadLFS, expected || !q.asks(diff.PartAddedLines, diff.PartRemovedLines)
		}
		if q.asks(diff.PartAddedLines) {
			d.AddedLines = append([]diff.Line{}, withoutMark(e.Added)...)
		}
		if q.asks(diff.PartAddedCount) {
			d.AddedCount = new(len(e.Added))
		}
		if q.asks(diff.PartRemovedLines) {
			d.RemovedLines = append([]diff.Line{}, withoutMark(e.Removed)...)
		}
	}
	return nil
}

func isEncoded(l diff.Line) bool { return !charset.IsPlain([]byte(l.Text)) }

// isOfPointer reports whether a line may be one of a Git LFS pointer that names the content.
func isOfPointer(l diff.Line) bool { return strings.HasPrefix(l.Text, "oid sha256:") }

// withoutMark removes the byte order mark from the first line of a file.
func withoutMark(lines []diff.Line) []diff.Line {
	if len(lines) > 0 && lines[0].Line == 1 {
		lines[0].Text = strings.TrimPrefix(lines[0].Text, charset.Mark)
	}
	return lines
}

// inLFS returns those of some changes whose files are in Git LFS at head, and whether they were
// at the base as well, or are in a format without lines by their name.
func (q query) inLFS(ctx context.Context, list []diff.Change) (map[string]bool, error) {
	found := map[string]bool{}
	if len(list) == 0 {
		return found, nil
	}
	q.list, q.parts = list, []diff.Part{diff.PartContent}
	now, old, err := q.contents(ctx, diff.ContentLimit)
	if err != nil {
		return nil, err
	}
	byAttribute := map[string]bool{}
	if q.head.Kind == diff.Worktree { // which may have the content instead of the pointer
		if byAttribute, err = q.from.LFSFiles(ctx, q.atHead()); err != nil {
			return nil, err
		}
	}
	for _, c := range list {
		if byAttribute[c.Path] || diff.IsLFSPointer(now[c.Path]) {
			found[c.Path] = charset.Named(c.Path) || c.Status != diff.Added && diff.IsLFSPointer(old[c.Names()[0]])
		}
	}
	return found, nil
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
			d.BinaryBefore = diff.IsBinary(before) || diff.IsLFSPointer(before)
		}
		if q.asks(diff.PartLFS) {
			d.LFS = new(lfs[c.Path] || diff.IsLFSPointer(after))
		}
		if q.asks(diff.PartContent) {
			fillContent(d, &c, before, after)
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
// have been submodules or symlinks.
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
	more = slices.DeleteFunc(files(more, unknown), func(e Entry) bool { return diff.KindOf(e.Mode) != diff.File })
	return append(list, more...), err
}

// files returns the entries whose names are asked for, without submodules.
func files(list []Entry, asked []string) []Entry {
	set := setOf(asked)
	return slices.DeleteFunc(list, func(e Entry) bool { return !set[e.Path] || diff.KindOf(e.Mode) == diff.Submodule })
}

// fillContent fills in the text of both sides.
func fillContent(d *diff.Detail, c *diff.Change, before, after []byte) {
	d.Content = &diff.Content{}
	if c.Kind != diff.File {
		after = nil
		if c.Status != diff.TypeChanged {
			before = nil
		}
	}
	var wasUnread diff.Unread
	if before != nil {
		d.Content.Base, wasUnread = diff.TextOf(c.Names()[0], before)
	}
	if after == nil {
		return
	}
	var unread diff.Unread
	if d.Content.Head, unread = diff.TextOf(c.Path, after); unread != "" {
		d.Unread = unread
		d.Expected = unread == diff.UnreadFormat || unread == wasUnread || unread == diff.UnreadLFS && charset.Named(c.Path)
	}
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
