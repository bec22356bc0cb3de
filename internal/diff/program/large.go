package program

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
)

// largeIndexSize is the size of an index, in bytes, from which reading it takes longer than
// making a small one: the index of some ten thousand files.
const largeIndexSize = 1 << 20

func (p *Engine) largeIndex() bool {
	info, err := os.Stat(p.repo.IndexFile)
	return err == nil && info.Size() >= p.LargeIndexSize
}

// indexEntries are entries for a small index: files whose object is known, and those that
// git must read from disk, as input of git update-index --index-info.
type indexEntries struct {
	known  []read.Entry
	unread strings.Builder
}

// entriesFor returns index entries for the changes from the ids that git reported with them,
// or nil if a change is unmerged or has none.
func entriesFor(base diff.Base, head diff.Head, list []diff.Change) *indexEntries {
	entries := &indexEntries{}
	for i := range list {
		c := &list[i]
		switch {
		case c.Untracked || c.Status == diff.Deleted:
			continue
		case c.Status == diff.Unmerged,
			c.Object == "" && (head.Kind != diff.Worktree || c.OldObject == "" && c.Status != diff.Added):
			return nil
		}
		// In the working tree, git also computes the ids of possible renames without storing them.
		stored := head.Kind != diff.Worktree || c.Status == diff.Modified || c.Status == diff.TypeChanged
		if c.Object != "" && stored {
			entries.known = append(entries.known, read.Entry{Path: c.Path, Mode: c.Mode, Object: c.Object})
			continue
		}
		// The content of the index affects how git converts line ends, and is not known here;
		// storedAsTheyAre has made sure that nothing is converted.
		object := cmp.Or(c.OldObject, base.Commit)
		entries.unread.WriteString(c.Mode + " " + object + " 0\t" + c.Path + "\x00")
	}
	entries.unread.WriteString(indexInfo(base.Commit, untrackedAmong(list), nil))
	return entries
}

// newIndexWith makes a private index with nothing but entries. The known ones are marked so
// that git does not look at the working tree.
func (p *Engine) newIndexWith(ctx context.Context, base diff.Base, entries *indexEntries) (*privateIndex, error) {
	known := make([]indexEntry, len(entries.known))
	for i, f := range entries.known {
		var err error
		if known[i], err = newEntry(f, assumeUnchanged, 0); err != nil {
			return nil, err
		}
	}
	x, err := p.newIndex(base, known)
	if err == nil && entries.unread.Len() > 0 {
		if err = x.enter(ctx, entries.unread.String()); err != nil {
			x.remove()
		}
	}
	return x, err
}

// newIndex makes a private index with nothing but entries.
func (p *Engine) newIndex(base diff.Base, entries []indexEntry) (*privateIndex, error) {
	dir, err := p.tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{repo: p.repo, dir: dir, config: unrefreshed, env: p.snapshotObjects(base)}
	slices.SortFunc(entries, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) })
	err = os.WriteFile(x.file(), formatEntries(entries, p.repo.ObjectFormat), 0o600)
	if err := errors.Join(err, x.lock()); err != nil {
		x.remove()
		return nil, err
	}
	return x, nil
}

// assumeUnchanged is the flag of an index entry whose file git does not look at.
const assumeUnchanged = 0x8000
