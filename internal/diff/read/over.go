package read

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// Over returns a file system with the files of top, and those of below that top does not have.
// The entries of a directory are those of both.
func Over(top, below fs.FS) fs.FS { return layers{top, below} }

type layers struct{ top, below fs.FS }

func (l layers) Open(name string) (fs.File, error) {
	f, err := l.top.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	return l.below.Open(name)
}

func (l layers) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(l.top, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	return fs.Stat(l.below, name)
}

func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(l.top, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	more, missing := fs.ReadDir(l.below, name)
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

func (l layers) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(l.top, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	return fs.Lstat(l.below, name)
}

func (l layers) ReadLink(name string) (string, error) {
	target, err := fs.ReadLink(l.top, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	return fs.ReadLink(l.below, name)
}
