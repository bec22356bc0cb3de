package diff

import (
	"context"
	"errors"
)

// Changes is the one net diff from base to head, as of Program.Changes.
func (e *embedded) Changes(_ context.Context, base Base, head Head) (_ Changeset, err error) {
	set := Changeset{Base: base, Head: head}
	if e.notice != "" {
		set.Notices = []string{e.notice}
	}
	c, err := e.compare(base, head)
	if err != nil {
		return Changeset{}, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	records, truncated, err := c.records()
	if err != nil {
		return Changeset{}, err
	}
	if truncated {
		set.Notices = append(set.Notices, truncatedSearch)
	}
	set.Changes = changes(records)
	for i := range set.Changes {
		set.Changes[i].Untracked = c.work != nil && c.work.untracked[set.Changes[i].Path]
	}
	return set, nil
}

// Staged are the names staged in this commit, as of Program.Staged.
func (e *embedded) Staged(ctx context.Context) (map[string]bool, error) {
	from := e.here.Head
	if from == "" {
		from = e.emptyTree()
	}
	set, err := e.Changes(ctx, Base{Commit: from}, Head{Kind: Index})
	if err != nil {
		return nil, err
	}
	staged := make(map[string]bool, len(set.Changes))
	for _, c := range set.Changes {
		for _, name := range c.Names() {
			staged[name] = true
		}
	}
	return staged, nil
}

// Files lists every file at head, as of Program.Files.
func (e *embedded) Files(ctx context.Context, head Head) ([]string, error) {
	if head.Kind == Worktree {
		w, err := e.look()
		if err != nil {
			return nil, err
		}
		files := make([]string, len(w.files))
		for i, v := range w.files {
			files[i] = v.path
		}
		return files, w.root.Close()
	}
	list, err := e.entries(ctx, head, nil)
	files := make([]string, len(list))
	for i, v := range list {
		files[i] = v.path
	}
	return files, err
}
