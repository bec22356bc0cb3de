package program

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// localReader reads files without a process where it can: entries from a small index, and
// content from the working tree if its hash is the object's id. It leaves the rest to git.
type localReader struct {
	source
	paths map[string]string // by object
}

func (l localReader) Entries(ctx context.Context, head diff.Head, paths []string) ([]read.Entry, error) {
	list, err := l.indexEntries(head, func(name string) bool {
		return slices.ContainsFunc(paths, func(dir string) bool {
			below, ok := strings.CutPrefix(name, dir)
			return ok && (below == "" || below[0] == '/')
		})
	})
	if err != nil {
		list, err = l.source.Entries(ctx, head, paths)
	}
	for _, e := range list {
		l.paths[e.Object] = e.Path
	}
	return list, err
}

func (l localReader) indexEntries(head diff.Head, wanted func(name string) bool) (list []read.Entry, err error) {
	if head.Kind != diff.Index || l.repo.ObjectFormat != "sha1" || l.largeIndex() {
		return nil, errors.ErrUnsupported
	}
	files, err := gitfile.IndexedFiles(l.repo.IndexFile, wanted)
	for _, f := range files {
		list = append(list, read.Entry{Path: f.Path, Mode: gitfile.OctalMode(f.Mode), Object: f.Object.String()})
	}
	return list, err
}

func (l localReader) Blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	const maxHashed = 1 << 20 // bytes: larger files are hardly ever rules
	found := map[string][]byte{}
	if root, err := os.OpenRoot(l.repo.Root); err == nil {
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
