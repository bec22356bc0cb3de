// Package objects reads the objects of git, loose and packed, without a git
// program. It is the only package that imports go-git, and a package of its own
// because Go initialises what a package imports before that package: internal/diff
// is used while the program is still being initialised, and waits for none of it.
package objects

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Store is a list of object directories, read as one. It holds what it read, and
// the packs it opened, for one run. Several may read it at once.
type Store struct {
	reading sync.Mutex // the storage of go-git is not made for several readers at once
	dirs    []*filesystem.ObjectStorage
}

// Open returns the store of object directories, each of which must be named
// objects and hold ids of SHA-1. An object is looked for in their order. Alternates
// are not followed: they must be among dirs. Nothing is read yet.
func Open(dirs []string) *Store {
	s := &Store{}
	for _, dir := range dirs {
		s.dirs = append(s.dirs, filesystem.NewObjectStorageWithOptions(
			dotgit.NewWithOptions(alone{osfs.New(filepath.Dir(dir))}, dotgit.Options{}),
			cache.NewObjectLRUDefault(), filesystem.Options{KeepDescriptors: true}))
	}
	return s
}

// alone hides a repository's alternates: go-git would reread all of theirs for
// every object.
type alone struct{ billy.Filesystem }

func (f alone) Open(name string) (billy.File, error) {
	if strings.HasSuffix(filepath.ToSlash(name), "info/alternates") {
		return nil, os.ErrNotExist
	}
	return f.Filesystem.Open(name)
}

// Read gives an object's type, in git's word commit, tree, blob or tag, and its
// content, which nobody may change. The type is empty where no directory has the
// object.
func (s *Store) Read(id [20]byte) (kind string, content []byte, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	for _, dir := range s.dirs {
		object, err := dir.EncodedObject(plumbing.AnyObject, id)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err == nil {
			content, err = contentOf(object)
		}
		if err != nil {
			return "", nil, fmt.Errorf("object %x: %w", id, err)
		}
		return object.Type().String(), content, nil
	}
	return "", nil, nil
}

func contentOf(object plumbing.EncodedObject) (content []byte, err error) {
	r, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(r)
}

// WithPrefix lists the objects whose ids start with prefix, each once.
func (s *Store) WithPrefix(prefix []byte) ([][20]byte, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	seen := map[plumbing.Hash]bool{}
	var list [][20]byte
	for _, dir := range s.dirs {
		ids, err := dir.HashesWithPrefix(prefix)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list, nil
}
