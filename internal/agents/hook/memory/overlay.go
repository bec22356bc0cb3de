package memory

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"
)

// Overlay returns a file system with some files, by path, in place of those of base or in
// addition to them. base may be nil.
func Overlay(base fs.FS, files map[string]string) fs.FS {
	over := fstest.MapFS{}
	for name, text := range files {
		over[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
	}
	if base == nil {
		return over
	}
	return overlay{base, over}
}

type overlay struct{ base, over fs.FS }

// of returns the file system that has a name.
func (o overlay) of(name string) fs.FS {
	if info, err := fs.Stat(o.over, name); err == nil && !info.IsDir() {
		return o.over
	}
	if _, err := fs.Lstat(o.base, name); errors.Is(err, fs.ErrNotExist) {
		return o.over
	}
	return o.base
}

func (o overlay) Open(name string) (fs.File, error)      { return o.of(name).Open(name) }
func (o overlay) Stat(name string) (fs.FileInfo, error)  { return fs.Stat(o.of(name), name) }
func (o overlay) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(o.of(name), name) }
func (o overlay) ReadLink(name string) (string, error)   { return fs.ReadLink(o.of(name), name) }
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(o.base, name)
	more, missing := fs.ReadDir(o.over, name)
	if err != nil && (missing != nil || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		return slices.ContainsFunc(more, func(other fs.DirEntry) bool { return other.Name() == e.Name() && !other.IsDir() })
	})
	for _, e := range more {
		if !slices.ContainsFunc(list, func(other fs.DirEntry) bool { return other.Name() == e.Name() }) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}
