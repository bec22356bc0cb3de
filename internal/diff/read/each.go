package read

import (
	"context"
	"os"
	"runtime"
	"slices"
	"sync"

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

// eachEntry visits the content of entries.
func eachEntry(ctx context.Context, from Backend, list []Entry, limit int64, visit func(name string, content []byte)) error {
	names := map[string][]string{} // by object: files may have the same content
	for _, e := range list {
		names[e.Object] = append(names[e.Object], e.Path)
	}
	objects := make([]string, 0, len(names))
	for _, e := range list { // in their order, in which packs have them near each other
		if names[e.Object][0] == e.Path {
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

func eachInWorktree(
	ctx context.Context, from Backend, paths []string, limit int64, visit func(name string, content []byte), without Without,
) error {
	left, err := without()
	if err != nil {
		return err
	}
	if len(left) > 0 {
		paths = slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return left[name] })
	}
	var mutex sync.Mutex
	var missing []string
	share := max(1, (len(paths)+runtime.NumCPU()-1)/runtime.NumCPU())
	_, err = iter.MapErr(slices.Collect(slices.Chunk(paths, share)), func(names *[]string) (struct{}, error) {
		root, err := os.OpenRoot(from.Root())
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
				continue
			}
			mutex.Lock()
			missing = append(missing, name)
			mutex.Unlock()
		}
		return struct{}{}, nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || len(missing) == 0 {
		return err
	}
	return eachSkipped(ctx, from, missing, limit, visit)
}

// eachSkipped visits those of the files that the working tree lacks which a sparse checkout
// leaves out: to git they are there, unchanged.
func eachSkipped(ctx context.Context, from Backend, missing []string, limit int64, visit func(name string, content []byte)) error {
	skipped, err := from.Skipped(ctx, entriesAsked(missing))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(from.Root())
	if err != nil {
		return err
	}
	defer root.Close()
	skipped = slices.DeleteFunc(files(skipped, missing), func(e Entry) bool {
		_, err := Lstat(root, e.Path)
		return !Absent(err) // a directory, or what is no file
	})
	return eachEntry(ctx, from, skipped, limit, visit)
}
