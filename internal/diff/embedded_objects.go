package diff

import (
	"context"
	"encoding/hex"
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

// id names an object.
type id = plumbing.Hash

// alternateDepth bounds how far alternates of alternates are followed, as in git.
const alternateDepth = 5

// objects is the object store with the alternates it borrows from. The storage
// of go-git is not made for several readers at once.
type objects struct {
	reading sync.Mutex
	stores  []*filesystem.ObjectStorage
	dirs    []string // of the stores
}

// openObjects opens the store below a repository's common directory.
func openObjects(commonDir string) (*objects, error) {
	o := &objects{}
	return o, o.open(filepath.Join(commonDir, "objects"), 0, map[string]bool{})
}

func (o *objects) open(dir string, depth int, seen map[string]bool) error {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	if depth > alternateDepth || filepath.Base(dir) != "objects" {
		return needsGit("an alternate object directory " + dir)
	}
	if list, err := filepath.Glob(filepath.Join(globbed(dir), "pack", "*.promisor")); err != nil || len(list) > 0 {
		return errors.Join(err, needsGit("a partial clone"))
	}
	o.dirs = append(o.dirs, dir)
	o.stores = append(o.stores, filesystem.NewObjectStorageWithOptions(
		dotgit.NewWithOptions(alone{osfs.New(filepath.Dir(dir))}, dotgit.Options{}),
		cache.NewObjectLRUDefault(), filesystem.Options{KeepDescriptors: true}))
	text, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSuffix(line, "\n")
		switch {
		case name == "" || name[0] == '#':
			continue
		case name[0] == '"' || depth > 0 && !filepath.IsAbs(name):
			return needsGit("an alternate object directory " + name)
		}
		place, err := filepath.EvalSymlinks(within(dir, name))
		if err != nil {
			return needsGit("an alternate object directory that is gone (" + name + ")")
		}
		if err := o.open(place, depth+1, seen); err != nil {
			return err
		}
	}
	return nil
}

// globbed is a name that a glob pattern takes as it is.
func globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
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

// read gives an object's type and content. Whoever gets it must not change it.
func (o *objects) read(name id) (plumbing.ObjectType, []byte, error) {
	o.reading.Lock()
	defer o.reading.Unlock()
	for _, store := range o.stores {
		object, err := store.EncodedObject(plumbing.AnyObject, name)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return 0, nil, fmt.Errorf("object %s: %w", name, err)
		}
		content, err := contentOf(object)
		if err != nil {
			return 0, nil, fmt.Errorf("object %s: %w", name, err)
		}
		return object.Type(), content, nil
	}
	if name.String() == emptyTrees["sha1"] {
		return plumbing.TreeObject, nil, nil
	}
	return 0, nil, missing(name)
}

func contentOf(object plumbing.EncodedObject) (content []byte, err error) {
	r, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(r)
}

// missingError is an object that should be there.
type missingError struct{ object id }

func missing(object id) error { return &missingError{object} }

func (e *missingError) Error() string {
	return "object " + e.object.String() + " is missing; see git fsck"
}

// blob is a blob's content.
func (o *objects) blob(name id) ([]byte, error) {
	kind, content, err := o.read(name)
	if err == nil && kind != plumbing.BlobObject {
		err = fmt.Errorf("object %s is a %s; want a blob", name, kind)
	}
	return content, err
}

// abbreviated are all objects whose names start with prefix, hexadecimal digits.
func (o *objects) abbreviated(prefix string) ([]id, error) {
	even, err := hex.DecodeString(prefix[:len(prefix)&^1])
	if err != nil {
		return nil, err
	}
	o.reading.Lock()
	defer o.reading.Unlock()
	seen := map[id]bool{}
	var list []id
	for _, store := range o.stores {
		names, err := store.HashesWithPrefix(even)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasPrefix(name.String(), prefix) && !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list, nil
}

// blobs are the contents of objects, of each at most limit bytes; limit < 0: all.
func (e *embedded) blobs(_ context.Context, names []string, limit int64) (map[string][]byte, error) {
	content := make(map[string][]byte, len(names))
	for _, name := range names {
		b, err := e.objects.blob(plumbing.NewHash(name))
		if err != nil {
			return nil, err
		}
		content[name] = cut(b, limit)
	}
	return content, nil
}
