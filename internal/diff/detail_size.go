package diff

import (
	"context"
	"os"
	"slices"
)

func (q question) sizes(ctx context.Context) error {
	sizes, err := sizesOf(ctx, q.from, q.head, q.atHead())
	for name, size := range sizes {
		q.found[name].Size = &size
	}
	return err
}

// sizesOf are the lengths of files at head, by name.
func sizesOf(ctx context.Context, from detailing, head Head, paths []string) (map[string]int64, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	if head.Kind == Worktree {
		return worktreeSizes(from.Root(), paths)
	}
	list, err := from.entries(ctx, head, paths)
	if err != nil {
		return nil, err
	}
	asked := setOf(paths)
	list = slices.DeleteFunc(list, func(e entry) bool { return !asked[e.path] })
	lengths, err := from.sizes(ctx, objectsOf(list))
	sizes := make(map[string]int64, len(list))
	for _, e := range list {
		sizes[e.path] = lengths[e.object]
	}
	return sizes, err
}

func worktreeSizes(top string, paths []string) (map[string]int64, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	sizes := make(map[string]int64, len(paths))
	for _, name := range paths {
		info, err := lstat(root, name)
		switch {
		case absentFile(err):
		case err != nil:
			return nil, err
		case !info.IsDir():
			sizes[name] = info.Size()
		}
	}
	return sizes, nil
}
