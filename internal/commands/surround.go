package commands

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Surround is the tree of head in which commands that are for files run. Where
// head is not the working tree, git is asked for the names that differ, which
// costs as much as git status, and less for the index; where there is no working tree, for all of head.
func Surround(ctx context.Context, e diff.Engine, head diff.Head, files []File) (Tree, error) {
	t := Tree{Root: e.Root(), Files: files}
	if t.Root == "" {
		all, err := e.Changes(ctx, diff.Base{Commit: diff.EmptyTreeFor(head.Commit)}, head)
		if err != nil {
			return Tree{}, err
		}
		t.Differ, err = siblings(ctx, e, head, all.Changes)
		return t, err
	}
	t.All = func(ctx context.Context) ([]string, error) { return everything(ctx, e, head) }
	if head.Kind == diff.Worktree {
		return t, nil
	}
	base := diff.Base{Commit: head.Commit}
	if base.Commit == "" {
		var err error
		if base, err = e.Resolve(ctx, diff.BaseRequest{ID: diff.DefaultTip, Head: head}); err != nil {
			return Tree{}, err
		}
	}
	if git, ok := e.(unstaging); ok && head.Kind == diff.Index {
		changes, err := otherThanIndex(ctx, git, e, base, head)
		if err != nil {
			return Tree{}, err
		}
		t.Differ, err = siblings(ctx, e, head, changes)
		return t, err
	}
	// What the index and the working tree each have otherwise than the commit is
	// all that they can have otherwise than each other.
	worktree, err := e.Changes(ctx, base, diff.Head{Kind: diff.Worktree, Commit: head.Commit})
	if err != nil {
		return Tree{}, err
	}
	var changes []diff.Change
	for _, c := range worktree.Changes {
		switch {
		case c.Untracked && c.Status == diff.Added: // it stays, as what git ignores does
		case c.Untracked && c.Status == diff.Renamed:
			changes = append(changes, diff.Change{Path: c.OldPath, Mode: c.Mode, Kind: c.Kind})
		default:
			changes = append(changes, reversed(c))
		}
	}
	if head.Kind == diff.Index {
		staged, err := e.Changes(ctx, base, head)
		if err != nil {
			return Tree{}, err
		}
		changes = append(changes, staged.Changes...)
	}
	t.Differ, err = siblings(ctx, e, head, changes)
	return t, err
}

// unstaging is an engine that can tell what the working tree has otherwise than
// the index.
type unstaging interface {
	Unstaged(ctx context.Context) ([]diff.Change, error)
}

// otherThanIndex are the files of the index that the working tree has otherwise, and
// those that only the working tree has still.
func otherThanIndex(ctx context.Context, git unstaging, e diff.Engine, base diff.Base, head diff.Head) ([]diff.Change, error) {
	unstaged, err := git.Unstaged(ctx)
	if err != nil {
		return nil, err
	}
	staged, err := e.Changes(ctx, base, head)
	if err != nil {
		return nil, err
	}
	inIndex := map[string]diff.Change{}
	var changes []diff.Change
	for _, c := range staged.Changes {
		inIndex[c.Path] = c
		for _, name := range c.Names() {
			if c.Gone(name) {
				changes = append(changes, diff.Change{Path: name, Mode: c.Mode, Kind: diff.File})
			}
		}
	}
	for _, c := range unstaged {
		known, ok := inIndex[c.Path]
		if !ok {
			known = reversed(c)
		}
		changes = append(changes, known)
	}
	return changes, nil
}

// reversed is a change seen from the working tree. Of the commit's mode no more
// is known than whether it is that of a symlink.
func reversed(c diff.Change) diff.Change {
	switch {
	case c.Status != diff.TypeChanged:
	case c.Kind == diff.Symlink:
		c.Kind = diff.File
	case c.Kind == diff.File:
		c.Kind = diff.Symlink
	}
	return c
}

// siblings are the files of changes as they are at head. Of two changes of one
// file the last counts. A submodule stays what it is in the working tree.
func siblings(ctx context.Context, e diff.Engine, head diff.Head, changes []diff.Change) ([]Sibling, error) {
	by := map[string]diff.Change{}
	var names []string
	for _, c := range changes {
		for _, name := range c.Names() {
			if c.Kind != diff.Submodule {
				by[name] = c
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	content, err := e.Contents(ctx, head, names, -1)
	if err != nil {
		return nil, err
	}
	list := make([]Sibling, len(names))
	for i, name := range names {
		b, there := content[name]
		c := by[name]
		list[i] = Sibling{
			File:   File{Path: name, Executable: c.Mode == "100755", Content: b},
			Absent: !there, Link: there && c.Kind == diff.Symlink,
		}
	}
	return list, nil
}

// everything are the files of head and of the working tree.
func everything(ctx context.Context, e diff.Engine, head diff.Head) ([]string, error) {
	names, err := e.Files(ctx, head)
	if err != nil || head.Kind == diff.Worktree {
		return names, err
	}
	more, err := e.Files(ctx, diff.Head{Kind: diff.Worktree, Commit: head.Commit})
	names = append(names, more...)
	slices.Sort(names)
	return slices.Compact(names), err
}
