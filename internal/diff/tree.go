package diff

import (
	"context"
	"io/fs"
	"os"
	"path"
	"strings"
)

// linkHops bounds how far a chain of symlinks is followed in an index or commit.
const linkHops = 8

// Tree is the part of head at and below the given files and directories, to be
// read by name. What does not exist is absent, without an error. Symlinks are
// followed within the repository and never out of it: in the working tree by the
// system; in an index or commit when they lead to a file, or stand for one of
// paths itself, whereas any other is listed and cannot be read.
//
// Of the working tree it is all, as it stands when it is read.
func (p *Program) Tree(ctx context.Context, head Head, paths ...string) (fs.FS, error) {
	return tree(ctx, atHand{p, map[string]string{}}, head, paths)
}

func tree(ctx context.Context, from shelf, head Head, paths []string) (fs.FS, error) {
	if head.Kind == Worktree {
		root, err := os.OpenRoot(from.Root())
		if err != nil {
			return nil, err
		}
		return root.FS(), nil // closed when nobody refers to it any more
	}
	found := map[string]entry{}
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
	list := make([]entry, 0, len(found))
	for _, e := range found {
		list = append(list, e)
	}
	blobs, err := from.blobs(ctx, objectsOf(list), -1)
	if err != nil {
		return nil, err
	}
	files := memory{}
	for name, e := range found {
		files.add(name, kindOf(e.mode), blobs[e.object])
	}
	return files, nil
}

// link is a name in the tree under construction and the path in the repository
// it stands for.
type link struct {
	name, target string
	whole        bool // what is below target belongs to it
}

// follow enters into found what the links lead to, and returns the links met.
func follow(ctx context.Context, from shelf, head Head, wanted []link, found map[string]entry) ([]link, error) {
	targets := make([]string, len(wanted))
	for i, w := range wanted {
		targets[i] = w.target
	}
	list, err := from.entries(ctx, head, targets)
	if err != nil {
		return nil, err
	}
	var met []link
	var objects []string
	for _, w := range wanted {
		for _, e := range list {
			below, ok := strings.CutPrefix(e.path, w.target)
			if !ok || below != "" && (!w.whole || below[0] != '/') || kindOf(e.mode) == Submodule {
				continue
			}
			if below != "" {
				delete(found, w.name) // the link, if it was one: it turned out to be a directory
			}
			found[w.name+below] = e
			if kindOf(e.mode) == Symlink {
				met = append(met, link{name: w.name + below, target: e.path, whole: w.whole && below == ""})
				objects = append(objects, e.object)
			}
		}
	}
	texts, err := from.blobs(ctx, objects, 4096)
	if err != nil {
		return nil, err
	}
	inside := met[:0]
	for _, m := range met {
		text := string(texts[found[m.name].object])
		m.target = path.Join(path.Dir(m.target), text)
		if fs.ValidPath(m.target) && m.target != "." && !path.IsAbs(text) {
			inside = append(inside, m)
		}
	}
	return inside, nil
}
