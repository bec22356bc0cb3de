package program

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
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
	dir, err := tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{
		repo: p.repo, dir: dir, env: p.snapshotObjects(base),
		config: slices.Concat(unrefreshed, isolated),
	}
	err = writeIndex(x.file(), x.repo.ObjectFormat, entries.known)
	if err == nil && entries.unread.Len() > 0 {
		err = x.update(ctx, entries.unread.String())
	}
	if err == nil {
		err = x.lock()
	}
	if err != nil {
		x.remove()
		return nil, err
	}
	return x, nil
}

// assumeUnchanged is the flag of an index entry whose file git does not look at.
const assumeUnchanged = 0x8000

// writeIndex writes an index of version 2, described in gitformat-index(5). Its entries are
// assumed to be unchanged, so that git does not use the times and sizes that they lack.
func writeIndex(file, format string, list []read.Entry) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b read.Entry) int { return strings.Compare(a.Path, b.Path) })
	b := []byte("DIRC\x00\x00\x00\x02")
	b = binary.BigEndian.AppendUint32(b, uint32(len(list))) //nolint:gosec // fewer changes than 4 billion
	for _, e := range list {
		mode, err := strconv.ParseUint(e.Mode, 8, 32)
		if err != nil {
			return fmt.Errorf("mode of %q: %w", e.Path, err)
		}
		object, err := hex.DecodeString(e.Object)
		if err != nil {
			return fmt.Errorf("object of %q: %w", e.Path, err)
		}
		begin := len(b)
		b = append(b, make([]byte, 24)...) // times, device, inode
		b = binary.BigEndian.AppendUint32(b, uint32(mode))
		b = append(b, make([]byte, 12)...) // owner, size
		b = append(b, object...)
		b = binary.BigEndian.AppendUint16(b, assumeUnchanged|uint16(min(len(e.Path), 0xfff)))
		b = append(b, e.Path...)
		b = append(b, make([]byte, 8-(len(b)-begin)%8)...) // at least one, to a multiple of eight
	}
	sum := git.NewHash(format)
	sum.Write(b)
	return os.WriteFile(file, sum.Sum(b), 0o600)
}
