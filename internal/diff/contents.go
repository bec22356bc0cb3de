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
	if len(paths) == 0 {
		return map[string][]byte{}, nil
	}
	if head.Kind == Worktree {
		return p.worktreeContents(paths, limit)
	}
	list, err := p.entries(ctx, head, paths)
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(paths))
	for _, name := range paths {
		asked[name] = true
	}
	list = slices.DeleteFunc(list, func(e entry) bool { return !asked[e.path] || kindOf(e.mode) == Submodule })
	blobs, err := p.blobs(ctx, objectsOf(list), limit)
	if err != nil {
		return nil, err
	}
	content := make(map[string][]byte, len(list))
	for _, e := range list {
		content[e.path] = blobs[e.object]
	}
	return content, nil
}

func objectsOf(list []entry) []string {
	objects := make([]string, len(list))
	for i, e := range list {
		objects[i] = e.object
	}
	return objects
}

func (p *Program) worktreeContents(paths []string, limit int64) (map[string][]byte, error) {
	root, err := os.OpenRoot(p.repo.Root)
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
// A name with a symlink above it is no file of this working tree to git.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, nil
	}
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := root.Lstat(name[:i]); absentFile(err) || err == nil && !info.IsDir() {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	info, err := root.Lstat(name)
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
