package commands

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// HeadTree returns the tree of head for commands that run for files. If head is not
// the working tree, it lists the files that differ between them, which takes as
// long as git status, less for the index. Without a working tree it lists all files.
func HeadTree(ctx context.Context, e diff.Engine, head diff.Head, files []File) (Tree, error) {
	t := Tree{Root: e.Root(), Files: files}
	if t.Root == "" {
		all, err := e.Changes(ctx, diff.Base{Commit: diff.EmptyTreeFor(head.Commit)}, head)
		if err != nil {
			return Tree{}, err
		}
		t.Differ, err = siblings(ctx, e, head, all.Changes)
		return t, err
	}
	t.All = func(ctx context.Context) ([]string, error) { return allFiles(ctx, e, head) }
	if head.Kind == diff.Worktree {
		return t, nil
	}
	if head.Kind == diff.Index {
		changes, err := differFromIndex(ctx, e)
		if err != nil {
			return Tree{}, err
		}
		t.Differ, err = siblings(ctx, e, head, changes)
		return t, err
	}
	worktree, err := e.Changes(ctx, diff.Base{Commit: head.Commit}, diff.Head{Kind: diff.Worktree, Commit: head.Commit})
	if err != nil {
		return Tree{}, err
	}
	var changes []diff.Change
	for _, c := range worktree.Changes {
		switch {
		case c.Untracked && c.Status == diff.Added: // kept, like ignored files
		case c.Untracked && c.Status == diff.Renamed:
			changes = append(changes, diff.Change{Path: c.OldPath, Mode: c.Mode, Kind: c.Kind})
		default:
			changes = append(changes, reversed(c))
		}
	}
	t.Differ, err = siblings(ctx, e, head, changes)
	return t, err
}

// differFromIndex returns the files of the index that differ in the working tree,
// and those that the index has deleted.
func differFromIndex(ctx context.Context, e diff.Engine) ([]diff.Change, error) {
	unstaged, err := e.Unstaged(ctx)
	if err != nil {
		return nil, err
	}
	staged, err := e.Staged(ctx)
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

// reversed returns a change from the working tree to the commit. Of the mode in the
// commit it only knows whether the file is a symlink.
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

// siblings returns the files of changes at head. Of two changes of a file the last
// one is used. Submodules are left as they are in the working tree.
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
		b, found := content[name]
		c := by[name]
		list[i] = Sibling{
			File:   File{Path: name, Executable: c.Mode == "100755", Content: b},
			Absent: !found, Link: found && c.Kind == diff.Symlink,
		}
	}
	return list, nil
}

// allFiles returns the files of head and of the working tree.
func allFiles(ctx context.Context, e diff.Engine, head diff.Head) ([]string, error) {
	names, err := e.Files(ctx, head)
	if err != nil || head.Kind == diff.Worktree {
		return names, err
	}
	more, err := e.Files(ctx, diff.Head{Kind: diff.Worktree, Commit: head.Commit})
	names = append(names, more...)
	slices.Sort(names)
	return slices.Compact(names), err
}
