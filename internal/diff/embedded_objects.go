package diff

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ObjectStore reads objects, loose and packed, of a list of object directories,
// for several readers at once. It is handed in, because what can read them is
// initialised later than this package: see internal/objects.
type ObjectStore interface {
	// Read gives an object's type, as git names it, and content. The type is empty
	// where no directory has the object.
	Read(id [20]byte) (kind string, content []byte, err error)
	// WithPrefix lists the objects whose ids start with prefix, each once.
	WithPrefix(prefix []byte) ([][20]byte, error)
}

// id names an object.
type id [20]byte

// String is the id as git writes it.
func (i id) String() string { return hex.EncodeToString(i[:]) }

// isID reports whether s is a whole id. Digits may be capital letters, which git
// takes too.
func isID(s string) bool {
	if len(s) != hex.EncodedLen(len(id{})) {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

// parseID reads an id. Of a text that is none it reads the digits it begins with,
// as the start of an id that no object has.
func parseID(s string) (i id) {
	digits, _ := hex.DecodeString(s)
	copy(i[:], digits)
	return i
}

// The types of objects, in git's words.
const (
	kindCommit = "commit"
	kindTree   = "tree"
	kindBlob   = "blob"
	kindTag    = "tag"
)

// alternateDepth bounds how far alternates of alternates are followed, as in git.
const alternateDepth = 5

// objects is the object store with the alternates it borrows from.
type objects struct {
	store ObjectStore
	dirs  []string // of the store
}

// openObjects opens the store below a repository's common directory.
func openObjects(commonDir string, open func(dirs []string) ObjectStore) (*objects, error) {
	o := &objects{}
	if err := o.find(filepath.Join(commonDir, "objects"), 0, map[string]bool{}); err != nil {
		return nil, err
	}
	o.store = open(o.dirs)
	return o, nil
}

// find lists an object directory and those it borrows from.
func (o *objects) find(dir string, depth int, seen map[string]bool) error {
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
		if err := o.find(place, depth+1, seen); err != nil {
			return err
		}
	}
	return nil
}

// globbed is a name that a glob pattern takes as it is.
func globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// read gives an object's type and content. Whoever gets it must not change it.
func (o *objects) read(name id) (kind string, content []byte, err error) {
	kind, content, err = o.store.Read(name)
	switch {
	case err != nil || kind != "":
		return kind, content, err
	case name.String() == emptyTrees["sha1"]:
		return kindTree, nil, nil
	}
	return "", nil, missing(name)
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
	if err == nil && kind != kindBlob {
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
	names, err := o.store.WithPrefix(even)
	if err != nil {
		return nil, err
	}
	var list []id
	for _, name := range names {
		if name := id(name); strings.HasPrefix(name.String(), prefix) {
			list = append(list, name)
		}
	}
	return list, nil
}

// blobs are the contents of objects, of each at most limit bytes; limit < 0: all.
func (e *embedded) blobs(_ context.Context, names []string, limit int64) (map[string][]byte, error) {
	content := make(map[string][]byte, len(names))
	for _, name := range names {
		b, err := e.objects.blob(parseID(name))
		if err != nil {
			return nil, err
		}
		content[name] = cut(b, limit)
	}
	return content, nil
}
