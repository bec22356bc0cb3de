package read

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// withSkipped adds the files at and below paths that a sparse checkout leaves out to the
// files of the working tree: to git they are there, unchanged.
func withSkipped(ctx context.Context, from Backend, disk fs.FS, paths []string) (fs.FS, error) {
	if len(paths) == 0 {
		return disk, nil
	}
	skipped, err := from.Skipped(ctx, paths)
	if err != nil {
		return nil, err
	}
	skipped = slices.DeleteFunc(skipped, func(e Entry) bool { return diff.KindOf(e.Mode) == diff.Submodule })
	if len(skipped) == 0 {
		return disk, nil
	}
	blobs, err := from.Blobs(ctx, objectsOf(skipped), maxBlob+1)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for _, e := range skipped {
		files[e.Path] = fileOf(e, blobs)
	}
	return sparse{disk, memory{files}}, nil
}

// fileOf returns an entry as a file in memory.
func fileOf(e Entry, blobs map[string][]byte) *fstest.MapFile {
	mode := fs.FileMode(0o444)
	if diff.KindOf(e.Mode) == diff.Symlink {
		mode |= fs.ModeSymlink
	}
	return &fstest.MapFile{Data: blobs[e.Object], Mode: mode}
}

// sparse is the files of a sparse checkout, and those that it leaves out.
type sparse struct {
	fs.FS
	skipped memory
}

func (s sparse) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	return s.skipped.Open(name)
}

func (s sparse) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(s.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	return fs.Stat(s.skipped, name)
}

func (s sparse) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	more, missing := fs.ReadDir(s.skipped, name)
	if err != nil && missing != nil {
		return nil, err
	}
	for _, e := range more {
		if !slices.ContainsFunc(list, func(have fs.DirEntry) bool { return have.Name() == e.Name() }) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (s sparse) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(s.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	return fs.Lstat(s.skipped.files, name)
}

func (s sparse) ReadLink(name string) (string, error) {
	target, err := fs.ReadLink(s.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	return fs.ReadLink(s.skipped.files, name)
}
