package gitfile

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// alternateDepth bounds chains of alternates, as in git.
const alternateDepth = 5

// Objects is the object store of a repository with the alternates it borrows from. Its
// methods may be called concurrently.
type Objects struct {
	store *Store
	Dirs  []string // object directories, in the order of lookup
}

// OpenObjects opens the store below a repository's common directory. It refuses partial
// clones and unusual alternates.
func OpenObjects(commonDir string) (*Objects, error) {
	o := &Objects{}
	if err := o.find(filepath.Join(commonDir, "objects"), 0, map[string]bool{}); err != nil {
		return nil, err
	}
	o.store = OpenStore(o.Dirs)
	return o, nil
}

// find adds an object directory and those it borrows from.
func (o *Objects) find(dir string, depth int, seen map[string]bool) error {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	if depth > alternateDepth || filepath.Base(dir) != "objects" {
		return diff.NeedsGit("an alternate object directory " + dir)
	}
	if list, err := filepath.Glob(filepath.Join(escapeGlob(dir), "pack", "*.promisor")); err != nil || len(list) > 0 {
		return errors.Join(err, diff.NeedsGit("a partial clone"))
	}
	o.Dirs = append(o.Dirs, dir)
	text, err := regular.ReadFile(filepath.Join(dir, "info", "alternates"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSuffix(line, "\n")
		switch {
		case name == "" || name[0] == '#':
			continue
		case name[0] == '"' || depth > 0 && !filepath.IsAbs(name):
			return diff.NeedsGit("an alternate object directory " + name)
		}
		place, err := filepath.EvalSymlinks(Within(dir, name))
		if err != nil {
			return diff.NeedsGit("an alternate object directory that is gone (" + name + ")")
		}
		if err := o.find(place, depth+1, seen); err != nil {
			return err
		}
	}
	return nil
}

// escapeGlob escapes a name for use in a glob pattern.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// Read returns an object's type and content, which the caller must not change.
func (o *Objects) Read(name ID) (kind string, content []byte, err error) {
	kind, content, err = o.store.Read(name)
	switch {
	case err != nil || kind != "":
		return kind, content, err
	case name.String() == diff.EmptyTree("sha1"):
		return TypeTree, nil, nil
	}
	return "", nil, &MissingError{name}
}

// MissingError reports an object that the repository should have.
type MissingError struct{ Object ID }

func (e *MissingError) Error() string {
	return "object " + e.Object.String() + " is missing; see git fsck"
}

// Blob returns the content of a blob.
func (o *Objects) Blob(name ID) ([]byte, error) {
	kind, content, err := o.Read(name)
	if err == nil && kind != TypeBlob {
		err = fmt.Errorf("object %s is a %s; want a blob", name, kind)
	}
	return content, err
}

// Abbreviated returns the objects whose ids start with prefix, hexadecimal digits.
func (o *Objects) Abbreviated(prefix string) ([]ID, error) {
	even, err := hex.DecodeString(prefix[:len(prefix)&^1])
	if err != nil {
		return nil, err
	}
	names, err := o.store.WithPrefix(even)
	if err != nil {
		return nil, err
	}
	var list []ID
	for _, name := range names {
		if strings.HasPrefix(name.String(), prefix) {
			list = append(list, name)
		}
	}
	return list, nil
}
