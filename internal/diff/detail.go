package diff

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"
)

// Detail is what is known of a change beside the fact that it is one. Each field
// is filled in only where it was asked for, as the [Part] of its JSON name.
type Detail struct {
	AddedLines   []Line   `json:"added_lines,omitzero"`   // numbered as at head
	RemovedLines []Line   `json:"removed_lines,omitzero"` // numbered as at the base
	Binary       *bool    `json:"binary,omitzero"`        // before or after the change
	LFS          *bool    `json:"lfs,omitzero"`           // at head
	Size         *int64   `json:"size,omitzero"`          // bytes at head; nil where there is no file
	Content      *Content `json:"content,omitzero"`
}

// Line is one line of a file, without its end.
type Line struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // bytes
}

// Content is the text of a file on both sides; nil where there is no file, where
// it is binary, and where it is longer than ContentLimit. That of a symlink is
// where it points to; a submodule has none.
type Content struct {
	Head *string `json:"head,omitzero"`
	Base *string `json:"base,omitzero"`
}

// ContentLimit is the longest content, in bytes, that a Detail has.
const ContentLimit = 1 << 20

// Part is a field of a Detail, by its JSON name.
type Part string

// Every part of a Detail.
const (
	PartAddedLines   Part = "added_lines"
	PartRemovedLines Part = "removed_lines"
	PartBinary       Part = "binary"
	PartLFS          Part = "lfs"
	PartSize         Part = "size"
	PartContent      Part = "content"
)

// detailing is what an engine must know for details.
type detailing interface {
	shelf
	// before is where the files of a base are read.
	before(base Base) shelf
	// edits are the lines that each of the changes adds and removes.
	edits(ctx context.Context, base Base, head Head, list []Change) (map[string]edit, error)
	// sizes are the lengths of objects.
	sizes(ctx context.Context, objects []string) (map[string]int64, error)
	// lfsFiles are those files of the working tree that attributes give to Git LFS.
	lfsFiles(ctx context.Context, paths []string) (map[string]bool, error)
}

// edit is what a change does to the lines of a file.
type edit struct{ added, removed []Line }

// details gives, by path, a Detail of each of the changes.
func details(ctx context.Context, from detailing, base Base, head Head, list []Change, parts []Part) (map[string]*Detail, error) {
	found := make(map[string]*Detail, len(list))
	for _, c := range list {
		found[c.Path] = &Detail{}
	}
	q := question{from, base, head, list, parts, found}
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	if q.asks(PartAddedLines, PartRemovedLines) {
		all.Go(q.lines)
	}
	if q.asks(PartBinary, PartLFS, PartContent) {
		all.Go(q.texts)
	}
	if q.asks(PartSize) {
		all.Go(q.sizes)
	}
	return found, all.Wait()
}

// question is what is asked of a list of changes. What answers it may do so at
// the same time: each fills in fields of its own.
type question struct {
	from  detailing
	base  Base
	head  Head
	list  []Change
	parts []Part
	found map[string]*Detail
}

func (q question) asks(parts ...Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return slices.Contains(q.parts, p) })
}

func (q question) lines(ctx context.Context) error {
	edits, err := q.from.edits(ctx, q.base, q.head, q.list)
	for name, d := range q.found {
		e := edits[name]
		if !e.text() {
			e = edit{}
		}
		if q.asks(PartAddedLines) {
			d.AddedLines = append([]Line{}, e.added...)
		}
		if q.asks(PartRemovedLines) {
			d.RemovedLines = append([]Line{}, e.removed...)
		}
	}
	return err
}

// text reports whether no line of an edit holds a NUL: else there are no lines
// to speak of. What attributes say is not asked, because they can be part of the
// change that is judged.
func (e edit) text() bool {
	binary := func(l Line) bool { return strings.IndexByte(l.Text, 0) >= 0 }
	return !slices.ContainsFunc(e.added, binary) && !slices.ContainsFunc(e.removed, binary)
}

// texts reads as much of the files as the parts need.
func (q question) texts(ctx context.Context) error {
	limit := int64(binaryProbe)
	if q.asks(PartContent) {
		limit = ContentLimit + 1
	}
	now, err := contents(ctx, q.from, q.head, q.atHead(), limit)
	if err != nil {
		return err
	}
	old := map[string][]byte{}
	if q.asks(PartBinary, PartContent) {
		if old, err = contents(ctx, q.from.before(q.base), Head{Kind: Commit, Commit: q.base.Commit}, q.atBase(), limit); err != nil {
			return err
		}
	}
	lfs := map[string]bool{}
	if q.asks(PartLFS) && q.head.Kind == Worktree {
		if lfs, err = q.from.lfsFiles(ctx, q.atHead()); err != nil {
			return err
		}
	}
	for _, c := range q.list {
		after, before := now[c.Path], old[c.Names()[0]]
		if c.Status == Added { // a name that a rename has left
			before = nil
		}
		d := q.found[c.Path]
		if q.asks(PartBinary) {
			d.Binary = new(IsBinary(after) || IsBinary(before))
		}
		if q.asks(PartLFS) {
			d.LFS = new(lfs[c.Path] || IsLFSPointer(after))
		}
		if q.asks(PartContent) {
			d.Content = &Content{Head: textOf(after), Base: textOf(before)}
		}
	}
	return nil
}

// textOf is content as far as a Detail has it; that of no file is nil.
func textOf(content []byte) *string {
	if content == nil || len(content) > ContentLimit || IsBinary(content) {
		return nil
	}
	return new(string(content))
}

// IsLFSPointer reports whether content is what Git LFS stores in the place of a file:
// https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func IsLFSPointer(content []byte) bool {
	return bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/v1\n")) &&
		bytes.Contains(content, []byte("\noid sha256:"))
}

// atHead are the names of the files that are there at head.
func (q question) atHead() []string {
	var names []string
	for _, c := range q.list {
		if c.Status != Deleted && c.Kind != Submodule {
			names = append(names, c.Path)
		}
	}
	return names
}

// atBase are the names of the files that were there at the base.
func (q question) atBase() []string {
	var names []string
	for _, c := range q.list {
		if c.Status != Added {
			names = append(names, c.Names()[0])
		}
	}
	return names
}
