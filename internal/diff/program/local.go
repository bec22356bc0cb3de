package program

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// localReader reads content without a process where it can: from the working tree, if its hash
// is the object's id. It leaves the rest to git.
type localReader struct {
	source
	paths map[string]string // by object
}

func (l localReader) Entries(ctx context.Context, head diff.Head, paths []string) ([]read.Entry, error) {
	list, err := l.source.Entries(ctx, head, paths)
	for _, e := range list {
		l.paths[e.Object] = e.Path
	}
	return list, err
}

// indexEntries returns the wanted files of the index, without unmerged and intent-to-add entries.
// One that is sparse, split or damaged is left to git.
func (p *Engine) indexEntries(wanted func(name []byte) bool) (list []read.Entry, err error) {
	index, err := p.readIndex()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	whole := true
	rest, err := glance(index, p.repo.ObjectFormat, func(g glimpse) {
		whole = whole && !g.collapsed()
		if g.flags&flagStage == 0 && !g.intended() && wanted(g.name) {
			list = append(list, g.entry().entry())
		}
	})
	if err == nil && (!whole || isSplit(rest)) {
		err = errors.ErrUnsupported
	}
	return list, err
}

func (l localReader) Blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	const maxHashed = 1 << 20 // bytes: larger files are hardly ever rules
	found := map[string][]byte{}
	if root, err := read.OpenDisk(l.repo.Root, nil); err == nil {
		defer root.Close()
		for _, object := range objects {
			content, err := read.File(root, l.paths[object], maxHashed)
			if err == nil && git.BlobID(l.repo.ObjectFormat, content) == object {
				found[object] = read.Truncate(content, limit)
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(objects), func(object string) bool { _, ok := found[object]; return ok })
	asked, err := l.source.Blobs(ctx, rest, limit)
	maps.Copy(found, asked)
	return found, err
}
