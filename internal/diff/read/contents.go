// Package read reads files of the checked tree: their contents, their details, and parts of
// the tree as a file system. Files of the working tree are read from disk; for an index or
// a commit, each engine provides entries and objects as a Source.
package read

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Entry is one file of an index or a commit.
type Entry struct{ Path, Mode, Object string }

// Backend provides the files of an index or a commit. Each engine implements it.
type Backend interface {
	// Disk opens the working tree; the caller closes it.
	Disk() (Disk, error)
	// Entries lists files: all, or those at and below paths and perhaps others.
	Entries(ctx context.Context, head diff.Head, paths []string) ([]Entry, error)
	// Skipped lists the files of the index at and below paths that the checkout leaves out:
	// they are marked skip-worktree, and nothing is in their place on disk.
	Skipped(ctx context.Context, paths []string) ([]Entry, error)
	// Members reports which of paths, all of which are on disk, are files of the working tree
	// to git: they are in the index, or untracked and not ignored.
	Members(ctx context.Context, paths []string) (map[string]bool, error)
	// Blobs returns the content of objects, each up to limit bytes; limit < 0: all.
	Blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error)
	// EachBlob visits the content of objects, likewise, one by one and perhaps concurrently.
	EachBlob(ctx context.Context, objects []string, limit int64, visit func(object string, content []byte)) error
}

// Contents returns files at head, each up to limit bytes; limit < 0: all; 0: only their names. The content of a
// symlink is its target. Directories, submodules and files that do not exist are left out.
func Contents(ctx context.Context, from Backend, head diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	if len(paths) == 0 {
		return map[string][]byte{}, nil
	}
	if head.Kind == diff.Worktree {
		return worktreeContents(ctx, from, paths, limit, false)
	}
	list, err := from.Entries(ctx, head, paths)
	if err != nil {
		return nil, err
	}
	list = files(list, paths)
	blobs := map[string][]byte{}
	if limit != 0 {
		if blobs, err = from.Blobs(ctx, objectsOf(list), limit); err != nil {
			return nil, err
		}
	}
	return byPath(list, blobs), nil
}

// byPath returns the content of entries, by path, from that of objects.
func byPath(list []Entry, blobs map[string][]byte) map[string][]byte {
	content := make(map[string][]byte, len(list))
	for _, e := range list {
		content[e.Path] = blobs[e.Object]
	}
	return content
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func objectsOf(list []Entry) []string {
	objects := make([]string, len(list))
	for i, e := range list {
		objects[i] = e.Object
	}
	return objects
}

// File reads a regular file or the target of a symlink; nil for anything else.
func File(root Disk, name string, limit int64) ([]byte, error) {
	info, err := Lstat(root, name)
	switch {
	case Absent(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		return Truncate([]byte(target), limit), err
	case !info.Mode().IsRegular():
		return nil, nil
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if limit < 0 {
		return regular.ReadAll(file, name, regular.Most)
	}
	return io.ReadAll(io.LimitReader(file, limit))
}

// Lstat describes the file at name. To git, a name below a symlink is not a file of
// this working tree.
func Lstat(root Disk, name string) (fs.FileInfo, error) {
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

// Absent reports whether err means that a file does not exist, or that a file is in the place
// of its directory.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Truncate returns at most the first limit bytes of b; all of them if limit is negative.
func Truncate(b []byte, limit int64) []byte {
	if limit >= 0 && int64(len(b)) > limit {
		return b[:limit]
	}
	return b
}
