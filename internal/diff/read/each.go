package read

import (
	"context"
	"os"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Each visits what [Contents] returns, one by one and perhaps concurrently, so that very many
// files can be read. Paths are of files.
func Each(ctx context.Context, from Backend, head diff.Head, paths []string, limit int64, visit func(name string, content []byte)) error {
	if len(paths) == 0 {
		return nil
	}
	if head.Kind == diff.Worktree {
		return eachInWorktree(ctx, from.Root(), paths, limit, visit)
	}
	list, err := from.Entries(ctx, head, entriesAsked(paths))
	if err != nil {
		return err
	}
	names := map[string][]string{} // by object: files may have the same content
	for _, e := range files(list, paths) {
		names[e.Object] = append(names[e.Object], e.Path)
	}
	objects := make([]string, 0, len(names))
	for _, e := range list { // in their order, in which packs have them near each other
		if named := names[e.Object]; len(named) > 0 && named[0] == e.Path {
			objects = append(objects, e.Object)
		}
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

func eachInWorktree(ctx context.Context, top string, paths []string, limit int64, visit func(name string, content []byte)) error {
	share := (len(paths) + runtime.NumCPU() - 1) / runtime.NumCPU()
	_, err := iter.MapErr(slices.Collect(slices.Chunk(paths, share)), func(names *[]string) (struct{}, error) {
		root, err := os.OpenRoot(top)
		if err != nil {
			return struct{}{}, err
		}
		defer root.Close()
		for _, name := range *names {
			content, err := File(root, name, limit)
			if err != nil || ctx.Err() != nil {
				return struct{}{}, err
			}
			if content != nil {
				visit(name, content)
			}
		}
		return struct{}{}, nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}
