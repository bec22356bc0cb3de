package program

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// patched is a patch with the entries that it is a patch of.
type patched struct {
	records []diff.Record
	patch   []byte
}

// completeFor returns an error unless there is a patch of every change: the same change among
// the entries, and at least one hunk where the content differs.
func (d patched) completeFor(base diff.Base, list []diff.Change) error {
	if base.ID == diff.Prompt && snapshot.IsID(base.Ref) {
		return nil // a snapshot lacks large files
	}
	files, err := diff.PatchedFiles(d.patch)
	if err != nil {
		return err
	}
	found := make(map[string]diff.Change, len(d.records))
	differs := make(map[string]bool, len(d.records))
	for _, r := range d.records {
		differs[r.Path] = contentDiffers(r)
	}
	for _, c := range diff.ChangesOf(d.records) {
		found[c.Path] = c
	}
	for i := range list {
		c := &list[i]
		f, ok := found[c.Path]
		switch {
		case !ok || f.OldPath != c.OldPath || f.Status != c.Status:
			return fmt.Errorf("git diff: %s %q is missing; want it in the patch, as in the list of changes", c.Status, c.Path)
		case differs[c.Path] && !files[c.Path]:
			return fmt.Errorf("git diff: no lines of %q; want some, its content differs", c.Path)
		}
	}
	return nil
}

// contentDiffers reports whether an entry is one that must have lines.
func contentDiffers(r diff.Record) bool {
	switch r.Letter {
	case 'M':
		return r.OldMode == r.NewMode
	case 'R':
		return r.Score < 100
	case 'D':
		return !diff.IsEmptyBlob(r.OldObject)
	case 'A':
		return !diff.IsEmptyBlob(r.NewObject) && strings.Trim(r.NewObject, "0") != ""
	}
	return false
}

// storedAsTheyAre reports whether git would store the bytes of every file that it must read
// from the working tree, whatever attributes, configuration and the index say: the files have
// no line end, identifier or encoding that could be converted, and no filter is configured.
func (p *Engine) storedAsTheyAre(ctx context.Context, head diff.Head, list []diff.Change) (bool, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(c diff.Change) bool {
		return c.Kind != diff.File || c.Status == diff.Deleted || c.Object != "" && !c.Untracked && c.Status != diff.Renamed
	})
	if head.Kind != diff.Worktree || len(list) == 0 {
		return true, nil
	}
	settings, err := repository{p}.Settings(ctx)
	if err != nil || settings.Filters {
		return false, err
	}
	root, err := read.OpenDisk(p.repo.Root, nil)
	if err != nil {
		return false, err
	}
	defer root.Close()
	for i := range list {
		content, err := read.File(root, list[i].Path, -1)
		text := string(content)
		if err != nil || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r") || strings.Contains(text, "$Id") {
			return false, err
		}
	}
	return true, nil
}
