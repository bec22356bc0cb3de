package read

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// worktree reads files of the working tree from where the list of changes has them: on disk,
// and in the index those that the checkout leaves out. Every fact about the content of such
// files comes from here.
type worktree struct {
	from Backend
	root Disk
}

func openWorktree(from Backend) (worktree, error) {
	root, err := from.Disk()
	return worktree{from, root}, err
}

func (w worktree) close() { _ = w.root.Close() } // it was only read

// each visits the files on disk, and returns those that the checkout leaves out. Directories
// and files that do not exist are left out.
func (w worktree) each(ctx context.Context, names []string, visit func(name string, info fs.FileInfo) error) ([]Entry, error) {
	missing, err := w.onDisk(ctx, names, visit)
	if err != nil {
		return nil, err
	}
	return w.leftOut(ctx, missing)
}

// onDisk visits the files on disk, and returns the names that do not exist.
func (w worktree) onDisk(ctx context.Context, names []string, visit func(name string, info fs.FileInfo) error) (missing []string, err error) {
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		info, err := Lstat(w.root, name)
		switch {
		case Absent(err):
			missing = append(missing, name)
		case err != nil:
			return nil, err
		case !info.IsDir():
			if err := visit(name, info); err != nil {
				return nil, err
			}
		}
	}
	return missing, nil
}

// leftOut returns those of names that the checkout leaves out, without submodules.
func (w worktree) leftOut(ctx context.Context, names []string) ([]Entry, error) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !fs.ValidPath(asUTF8(name)) || path.Clean(name) != name })
	if len(names) == 0 {
		return nil, nil
	}
	skipped, err := w.from.Skipped(ctx, names)
	return files(skipped, names), err
}

// contents returns the content of files, each up to limit bytes.
func (w worktree) contents(ctx context.Context, names []string, limit int64) (map[string][]byte, error) {
	content := make(map[string][]byte, len(names))
	left, err := w.each(ctx, names, func(name string, _ fs.FileInfo) error {
		b, err := File(w.root, name, limit)
		if b != nil {
			content[name] = b
		}
		return err
	})
	if err != nil || len(left) == 0 {
		return content, err
	}
	blobs := map[string][]byte{}
	if limit != 0 {
		if blobs, err = w.from.Blobs(ctx, objectsOf(left), limit); err != nil {
			return nil, err
		}
	}
	maps.Copy(content, byPath(left, blobs))
	return content, nil
}

// withoutForeign removes files that are on disk and that git does not see there: those that are
// ignored, and those of repositories within this one.
func (w worktree) withoutForeign(ctx context.Context, content map[string][]byte) error {
	names := make([]string, 0, len(content))
	for name := range content {
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	members, err := w.from.Members(ctx, names)
	for _, name := range names {
		if err == nil && !members[name] {
			delete(content, name)
		}
	}
	return err
}

// worktreeContents returns files of the working tree. Names that are not known to be of files at
// head may be of files that git does not see.
func worktreeContents(ctx context.Context, from Backend, names []string, limit int64, known bool) (map[string][]byte, error) {
	w, err := openWorktree(from)
	if err != nil {
		return nil, err
	}
	defer w.close()
	content, err := w.contents(ctx, names, limit)
	if err == nil && !known {
		err = w.withoutForeign(ctx, content)
	}
	return content, err
}

// worktreeSizes returns the sizes of files of the working tree in bytes.
func worktreeSizes(ctx context.Context, from DetailSource, names []string) (map[string]int64, error) {
	w, err := openWorktree(from)
	if err != nil {
		return nil, err
	}
	defer w.close()
	sizes := make(map[string]int64, len(names))
	left, err := w.each(ctx, names, func(name string, info fs.FileInfo) error {
		sizes[name] = info.Size()
		return nil
	})
	if err != nil || len(left) == 0 {
		return sizes, err
	}
	lengths, err := from.Sizes(ctx, objectsOf(left))
	for _, e := range left {
		sizes[e.Path] = lengths[e.Object]
	}
	return sizes, err
}

// asUTF8 replaces invalid bytes of a name: file names need not be UTF-8, which fs.ValidPath
// requires.
func asUTF8(name string) string { return strings.ToValidUTF8(name, "_") }
