package native

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/linediff"
)

// Lines returns, for each change that has any, the ranges of lines at head that were added or
// changed.
func (e *Engine) Lines(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change,
) (map[string][]diff.Lines, error) {
	lines := map[string][]diff.Lines{}
	err := e.hunks(ctx, base, head, list, func(c *diff.Change, t texts) {
		if c.Status == diff.Deleted || c.Kind == diff.Submodule {
			return
		}
		if t.encoded() {
			if d, ok := read.Decode(c, t.before, t.after); ok {
				if len(d.Lines) > 0 {
					lines[c.Path] = d.Lines
				}
				return
			}
		}
		for _, h := range t.hunks {
			if h.Added == 0 && c.Status == diff.TypeChanged {
				continue // an empty file in the place of another
			}
			lines[c.Path] = append(lines[c.Path], read.Range(h))
		}
	})
	return lines, err
}

// Edits returns the lines that each change adds and removes.
func (e source) Edits(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) (map[string]diff.Edit, error) {
	edits := make(map[string]diff.Edit, len(list))
	err := e.hunks(ctx, base, head, list, func(c *diff.Change, t texts) {
		was, is := diff.NumberedLines(t.before), diff.NumberedLines(t.after)
		edit := diff.Edit{}
		for _, h := range t.hunks {
			edit.Removed = append(edit.Removed, was[h.OldStart:h.OldStart+h.Removed]...)
			edit.Added = append(edit.Added, is[h.Start:h.Start+h.Added]...)
		}
		edits[c.Path] = edit
	})
	return edits, err
}

// texts holds the content of a change on both sides, as git stores it, and where they differ.
type texts struct {
	before, after []byte
	hunks         []linediff.Hunk
}

// encoded reports whether a changed line has bytes that may not be its text.
func (t texts) encoded() bool {
	was, is := linediff.Lines(t.before), linediff.Lines(t.after)
	may := func(line []byte) bool { return !charset.IsPlain(line) }
	return slices.ContainsFunc(t.hunks, func(h linediff.Hunk) bool {
		return slices.ContainsFunc(was[h.OldStart:h.OldStart+h.Removed], may) || slices.ContainsFunc(is[h.Start:h.Start+h.Added], may)
	})
}

// hunks calls visit for each change. Submodules have no lines.
func (e *Engine) hunks(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, visit func(*diff.Change, texts),
) error {
	var before, after []string
	for i := range list {
		c := &list[i]
		if c.Status != diff.Added {
			before = append(before, c.Names()[0])
		}
		if c.Status != diff.Deleted && c.Kind != diff.Submodule {
			after = append(after, c.Path)
		}
	}
	old, err := read.Contents(ctx, source{e}, diff.Head{Kind: diff.Commit, Commit: base.Commit}, before, -1)
	if err != nil {
		return err
	}
	now, err := e.stored(ctx, head, after)
	if err != nil {
		return err
	}
	for i := range list {
		c := &list[i]
		t := texts{after: now[c.Path]}
		if c.Status != diff.Added { // the old name of a rename may be in use again
			t.before = old[c.Names()[0]]
		}
		if c.Status == diff.TypeChanged { // git deletes the one and adds the other
			t.hunks = []linediff.Hunk{{Removed: len(linediff.Lines(t.before)), Added: len(linediff.Lines(t.after))}}
			if t.hunks[0].Removed == 0 && t.hunks[0].Added == 0 {
				t.hunks = nil
			}
			visit(c, t)
			continue
		}
		var ok bool
		if t.hunks, ok = linediff.Compare(t.before, t.after); !ok {
			return diff.NeedsGit("the comparison of the lines of " + strconv.Quote(c.Path) + ", which has very many changes,")
		}
		visit(c, t)
	}
	return nil
}

// stored returns files at head as git stores them, which for a file of the working tree may
// differ from its bytes.
func (e *Engine) stored(ctx context.Context, head diff.Head, paths []string) (_ map[string][]byte, err error) {
	if head.Kind != diff.Worktree {
		return read.Contents(ctx, source{e}, head, paths, -1)
	}
	if len(paths) == 0 {
		return nil, nil
	}
	w, err := e.openWorktree()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.root.Close()) }()
	entries := w.entries()
	content := make(map[string][]byte, len(paths))
	for _, name := range paths {
		v := version{path: name, onDisk: true}
		info, err := w.lstat(name)
		if err != nil {
			return nil, err
		}
		if info == nil {
			continue // deleted meanwhile
		}
		v.mode = w.modeNow(nil, info)
		if entry := entries[name]; entry != nil {
			if v, err = w.compared(entry, info); err != nil {
				return nil, err
			}
		}
		c := sides{engine: e, work: w}
		if content[name], err = c.content(&v); err != nil {
			return nil, err
		}
	}
	return content, nil
}
