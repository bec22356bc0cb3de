package gitfile

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

	"github.com/rulecheck/rulecheck/internal/regular"
)

// Store reads objects, loose and packed (https://git-scm.com/docs/pack-format), from a list
// of object directories. It keeps the
// objects it read, and the packs it opened, for one run.
type Store struct {
	mutex sync.Mutex // go-git's storage does not allow concurrent reads
	dirs  []*filesystem.ObjectStorage
}

// OpenStore returns the store of object directories, each of which must be named objects and
// hold ids of SHA-1. Objects are looked up in their order. Alternates are not followed: they
// must be among dirs.
func OpenStore(dirs []string) *Store {
	s := &Store{}
	for _, dir := range dirs {
		s.dirs = append(s.dirs, filesystem.NewObjectStorageWithOptions(
			dotgit.NewWithOptions(objectFiles{osfs.New(filepath.Dir(dir))}, dotgit.Options{}),
			cache.NewObjectLRUDefault(), filesystem.Options{KeepDescriptors: true}))
	}
	return s
}

// objectFiles opens regular files only. It hides a repository's alternates: go-git would read
// them again for every object.
type objectFiles struct{ billy.Filesystem }

func (f objectFiles) Open(name string) (billy.File, error) {
	if strings.HasSuffix(filepath.ToSlash(name), "info/alternates") {
		return nil, os.ErrNotExist
	}
	if info, err := f.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: f.Join(f.Root(), name), Err: regular.ErrIrregular}
	}
	return f.Filesystem.Open(name)
}

// Read returns an object's type and content, or an empty type if no directory has it.
func (s *Store) Read(id ID) (kind string, content []byte, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, dir := range s.dirs {
		object, err := dir.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err == nil {
			content, err = contentOf(object)
		}
		if err != nil {
			return "", nil, fmt.Errorf("object %s: %w", id, err)
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
	if object.Size() > regular.Most {
		return nil, fmt.Errorf("%w; want at most 1 GiB", regular.ErrTooLarge)
	}
	return io.ReadAll(io.LimitReader(r, regular.Most))
}

// WithPrefix lists the objects whose ids start with prefix, each once.
func (s *Store) WithPrefix(prefix []byte) ([]ID, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	seen := map[plumbing.Hash]bool{}
	var list []ID
	for _, dir := range s.dirs {
		ids, err := dir.HashesWithPrefix(prefix)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				list = append(list, ID(id))
			}
		}
	}
	return list, nil
}
