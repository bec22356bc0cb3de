package native

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// Search lists, in byte order, the files at head that contain a text, its letters in any
// case; see [diff.Engine].
func (e *Engine) Search(ctx context.Context, head diff.Head, text string, below []string) (found []string, err error) {
	if head.Kind == diff.Worktree {
		w, err := e.readWorktree()
		if err != nil {
			return nil, err
		}
		var names []string
		wanted := read.Below[string](below)
		for _, v := range w.files {
			if wanted(v.path) {
				names = append(names, v.path)
			}
		}
		found, err := read.Containing(ctx, w.root, names, text)
		return found, errors.Join(err, w.root.Close())
	}
	list, err := source{e}.Entries(ctx, head, below)
	if err != nil {
		return nil, err
	}
	for _, entry := range list {
		if diff.KindOf(entry.Mode) != diff.File {
			continue
		}
		content, err := e.objects.Blob(gitfile.ParseID(entry.Object))
		if err != nil {
			return nil, err
		}
		has, err := read.Contains(ctx, bytes.NewReader(content), text)
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, entry.Path)
		}
	}
	slices.Sort(found)
	return found, nil
}
