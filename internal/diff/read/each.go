package read

import (
	"context"
	"io/fs"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Without returns the files that need not be read.
type Without func() (map[string]bool, error)

// WithoutNone has every file read.
func WithoutNone() (map[string]bool, error) { return nil, nil }

// Each visits what [Contents] returns, one by one and perhaps concurrently, so that very many
// files can be read. It asks which files need not be read when it knows the others. Symlinks
// are always read. In the working tree it also visits files that a sparse checkout leaves out.
func Each(
	ctx context.Context, from Backend, head diff.Head, paths []string, limit int64, visit func(name string, content []byte), without Without,
) error {
	if len(paths) == 0 {
		return nil
	}
	if head.Kind == diff.Worktree {
		return eachInWorktree(ctx, from, paths, limit, visit, without)
	}
	list, err := from.Entries(ctx, head, entriesAsked(paths))
	if err != nil {
		return err
	}
	left, err := without()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(files(list, paths), func(e Entry) bool { return left[e.Path] && diff.KindOf(e.Mode) == diff.File })
	return eachEntry(ctx, from, list, limit, visit)
}

// eachEntry visits the content of entries, of each object once.
func eachEntry(ctx context.Context, from Backend, list []Entry, limit int64, visit func(name string, content []byte)) error {
	names := map[string][]string{} // by object: files may have the same content
	objects := make([]string, 0, len(list))
	for _, e := range list { // in their order, in which packs have them near each other
		if names[e.Object] == nil {
			objects = append(objects, e.Object)
		}
		names[e.Object] = append(names[e.Object], e.Path)
	}
	return from.EachBlob(ctx, objects, limit, func(object string, content []byte) {
		for _, name := range names[object] {
			visit(name, content)
		}
	})
}

// manyPaths is the number of paths from which listing all files takes less time than to have
// each of them compared with each path.
const manyPaths = 100

// entriesAsked returns the paths to list: all, if these are many.
func entriesAsked(paths []string) []string {
	if len(paths) >= manyPaths {
		return nil
	}
	return paths
}

func eachInWorktree(
	ctx context.Context, from Backend, paths []string, limit int64, visit func(name string, content []byte), without Without,
) error {
	unsought, err := without()
	if err != nil {
		return err
	}
	if len(unsought) > 0 {
		paths = slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return unsought[name] })
	}
	share := max(1, (len(paths)+runtime.NumCPU()-1)/runtime.NumCPU())
	missing, err := iter.MapErr(slices.Collect(slices.Chunk(paths, share)), func(names *[]string) ([]string, error) {
		w, err := openWorktree(from)
		if err != nil {
			return nil, err
		}
		defer w.close()
		return w.onDisk(ctx, *names, func(name string, _ fs.FileInfo) error {
			content, err := File(w.root, name, limit)
			if err == nil && content != nil {
				visit(name, content)
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	left, err := worktree{from: from}.leftOut(ctx, slices.Concat(missing...))
	if err != nil || len(left) == 0 {
		return err
	}
	return eachEntry(ctx, from, left, limit, visit)
}
