package native

import (
	"errors"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// version is a file on one side of a comparison.
type version struct {
	path   string
	mode   uint32
	object gitfile.ID
	onDisk bool // its content is in the working tree
	hashed bool // object was computed from it
}

func (v *version) regular() bool { return v.mode&gitfile.TypeBits == gitfile.RegularMode }

// level reads one tree, whose files are below a directory with a final slash.
func (e *Engine) level(name gitfile.ID, below string) ([]version, error) {
	entries, err := e.objects.Tree(name)
	list := make([]version, len(entries))
	for i, entry := range entries {
		list[i] = version{path: below + entry.Name, mode: entry.Mode, object: entry.Object}
	}
	return list, err
}

// files adds to list the files below a level of a tree, without those that other, the same
// level of another tree, also has.
func (e *Engine) files(list, level []version, other map[string]version) ([]version, error) {
	for _, v := range level {
		twin, both := other[v.path]
		both = both && twin.mode == v.mode
		switch {
		case both && twin.object == v.object:
		case v.mode != gitfile.DirMode:
			list = append(list, v)
		default:
			inside, err := e.level(v.object, v.path+"/")
			if err != nil {
				return nil, err
			}
			var opposite []version
			if both {
				if opposite, err = e.level(twin.object, v.path+"/"); err != nil {
					return nil, err
				}
			}
			if list, err = e.files(list, inside, byPath(opposite)); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

func byPath(level []version) map[string]version {
	m := make(map[string]version, len(level))
	for _, v := range level {
		m[v.path] = v
	}
	return m
}

// between lists the files of two commits or trees, without those that are the same in both.
func (e *Engine) between(old, now string) (a, b []version, err error) {
	var levels [2][]version
	for i, name := range []string{old, now} {
		root, err := e.treeOf(name)
		if err != nil {
			return nil, nil, err
		}
		if levels[i], err = e.level(root, ""); err != nil {
			return nil, nil, err
		}
	}
	if a, err = e.files(nil, levels[0], byPath(levels[1])); err != nil {
		return nil, nil, err
	}
	if b, err = e.files(nil, levels[1], byPath(levels[0])); err != nil {
		return nil, nil, err
	}
	return a, b, errors.Join(inOrder(a), inOrder(b))
}

// inOrder refuses trees whose order git would not have written: git's results depend on it.
func inOrder(list []version) error {
	for i := range list[:max(0, len(list)-1)] {
		if list[i].path >= list[i+1].path {
			return diff.NeedsGit("a tree that is not in order")
		}
	}
	return nil
}

// committed lists the files of a commit or a tree.
func (e *Engine) committed(name string) ([]version, error) {
	none, all, err := e.between(emptyTree, name)
	return append(none, all...), err
}

// treeOf returns the tree of a base: of a commit, or the tree itself.
func (e *Engine) treeOf(name string) (gitfile.ID, error) {
	kind, _, err := e.objects.Read(gitfile.ParseID(name))
	if err != nil || kind == gitfile.TypeTree {
		return gitfile.ParseID(name), err
	}
	c, err := e.readCommit(gitfile.ParseID(name))
	if err != nil {
		return gitfile.ID{}, err
	}
	return c.Tree, nil
}

// readCommit reads a commit, without the parents that a shallow clone lacks.
func (e *Engine) readCommit(name gitfile.ID) (*gitfile.Commit, error) {
	c, err := e.objects.Commit(name)
	if err == nil && e.shallow[name] {
		c.Parents = nil
	}
	return c, err
}
