package read

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// maxBlob is how many bytes a file of an index or commit has at most. A blob of a gigabyte
// may be a megabyte in the repository.
const maxBlob = 64 << 20

// linkHops bounds the length of a chain of symlinks in an index or commit.
const linkHops = 8

// Tree returns the part of head at and below files and directories as a file system, without
// those that do not exist. Symlinks are followed within the repository and never out of it:
// in the working tree by the system; in an index or commit if they lead to a file, or are
// one of paths themselves. Any other symlink is listed and cannot be read.
//
// The file system of the working tree is the whole tree, read when it is accessed. Files at
// and below paths that a sparse checkout leaves out are part of it.
func Tree(ctx context.Context, from Backend, head diff.Head, paths []string) (fs.FS, error) {
	if head.Kind == diff.Worktree {
		root, err := from.Disk()
		if err != nil {
			return nil, err
		}
		return withSkipped(ctx, from, root.fs(), paths) // the collector closes root
	}
	found := map[string]Entry{}
	wanted := make([]link, len(paths))
	for i, name := range paths {
		name = path.Clean(name)
		wanted[i] = link{name: name, target: name, whole: true}
	}
	for range linkHops {
		if len(wanted) == 0 {
			break
		}
		var err error
		if wanted, err = follow(ctx, from, head, wanted, found); err != nil {
			return nil, err
		}
	}
	list := make([]Entry, 0, len(found))
	for _, e := range found {
		list = append(list, e)
	}
	blobs, err := from.Blobs(ctx, objectsOf(list), maxBlob+1)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for name, e := range found {
		files[name] = fileOf(e, blobs)
	}
	return memory{files}, nil
}

// link is a name in the tree under construction and the path in the repository that it
// leads to.
type link struct {
	name, target string
	whole        bool // include the files below target
}

// follow adds the targets of links to found, and returns the symlinks among them.
func follow(ctx context.Context, from Backend, head diff.Head, wanted []link, found map[string]Entry) ([]link, error) {
	targets := make([]string, len(wanted))
	for i, w := range wanted {
		targets[i] = w.target
	}
	list, err := from.Entries(ctx, head, targets)
	if err != nil {
		return nil, err
	}
	var met []link
	var objects []string
	for _, w := range wanted {
		for _, e := range list {
			below, ok := strings.CutPrefix(e.Path, w.target)
			if !ok || below != "" && (!w.whole || below[0] != '/') || diff.KindOf(e.Mode) == diff.Submodule {
				continue
			}
			if below != "" {
				delete(found, w.name) // not a link after all: it turned out to be a directory
			}
			found[w.name+below] = e
			if diff.KindOf(e.Mode) == diff.Symlink {
				met = append(met, link{name: w.name + below, target: e.Path, whole: w.whole && below == ""})
				objects = append(objects, e.Object)
			}
		}
	}
	texts, err := from.Blobs(ctx, objects, 4096)
	if err != nil {
		return nil, err
	}
	inside := met[:0]
	for _, m := range met {
		text := string(texts[found[m.name].Object])
		m.target = path.Join(path.Dir(m.target), text)
		if fs.ValidPath(m.target) && m.target != "." && !path.IsAbs(text) {
			inside = append(inside, m)
		}
	}
	return inside, nil
}
