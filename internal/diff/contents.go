package diff

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Contents are the bytes of files at head, of each at most limit; limit < 0: all.
// Whoever must know of more asks for one byte more. A symlink's content is where
// it points to. What does not exist at head, a directory and a submodule have none.
func (p *Program) Contents(ctx context.Context, head Head, paths []string, limit int64) (map[string][]byte, error) {
	return contents(ctx, p, head, paths, limit)
}

// shelf is where the files of a head are read.
type shelf interface {
	Root() string
	entries(ctx context.Context, head Head, paths []string) ([]entry, error)
	blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error)
}

func contents(ctx context.Context, from shelf, head Head, paths []string, limit int64) (map[string][]byte, error) {
	if len(paths) == 0 {
		return map[string][]byte{}, nil
	}
	if head.Kind == Worktree {
		return worktreeContents(from.Root(), paths, limit)
	}
	list, err := from.entries(ctx, head, paths)
	if err != nil {
		return nil, err
	}
	asked := setOf(paths)
	list = slices.DeleteFunc(list, func(e entry) bool { return !asked[e.path] || kindOf(e.mode) == Submodule })
	blobs, err := from.blobs(ctx, objectsOf(list), limit)
	if err != nil {
		return nil, err
	}
	content := make(map[string][]byte, len(list))
	for _, e := range list {
		content[e.path] = blobs[e.object]
	}
	return content, nil
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func objectsOf(list []entry) []string {
	objects := make([]string, len(list))
	for i, e := range list {
		objects[i] = e.object
	}
	return objects
}

func worktreeContents(top string, paths []string, limit int64) (map[string][]byte, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	content := make(map[string][]byte, len(paths))
	for _, name := range paths {
		b, err := readFile(root, name, limit)
		if err != nil {
			return nil, err
		}
		if b != nil {
			content[name] = b
		}
	}
	return content, nil
}

// readFile reads a regular file or the target of a symlink; nil for anything else.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := lstat(root, name)
	switch {
	case absentFile(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		return cut([]byte(target), limit), err
	case !info.Mode().IsRegular():
		return nil, nil
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if limit < 0 {
		return io.ReadAll(file)
	}
	return io.ReadAll(io.LimitReader(file, limit))
}

// lstat describes what is at name. A name with a symlink above it is no file of
// this working tree to git.
func lstat(root *os.Root, name string) (fs.FileInfo, error) {
	if !filepath.IsLocal(name) {
		return nil, fs.ErrNotExist
	}
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := root.Lstat(name[:i]); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fs.ErrNotExist
		}
	}
	return root.Lstat(name)
}

// absentFile reports whether err says that there is no such file, or that what
// should be its directory is a file.
func absentFile(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func cut(b []byte, limit int64) []byte {
	if limit >= 0 && int64(len(b)) > limit {
		return b[:limit]
	}
	return b
}
