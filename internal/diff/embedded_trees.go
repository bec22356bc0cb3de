package diff

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Modes as git has them, in one number: the file type is in the high bits.
const (
	typeBits    = 0o170000
	regularMode = 0o100000
	linkMode    = 0o120000
	dirMode     = 0o040000
	moduleMode  = 0o160000
)

// version is a file as one side of a comparison has it.
type version struct {
	path   string
	mode   uint32
	object id
	onDisk bool // its content stands in the working tree
	hashed bool // in which case object may be yet to be computed
}

func (v *version) regular() bool { return v.mode&typeBits == regularMode }

// canonical is the mode git makes of one in a tree or an index.
func canonical(mode uint32) uint32 {
	switch mode & typeBits {
	case regularMode:
		if mode&0o100 != 0 {
			return 0o100755
		}
		return 0o100644
	case linkMode, dirMode:
		return mode & typeBits
	default:
		return moduleMode
	}
}

// octal is a mode as the raw format writes it.
func octal(mode uint32) string { return fmt.Sprintf("%06o", mode) }

// level reads one tree, in git's order: a directory as if its name ended in a slash.
func (e *embedded) level(name id, below string) ([]version, error) {
	kind, content, err := e.objects.read(name)
	if err != nil {
		return nil, err
	}
	if kind != kindTree {
		return nil, fmt.Errorf("object %s is a %s; want a tree", name, kind)
	}
	var list []version
	for len(content) > 0 {
		head, rest, ok := bytes.Cut(content, []byte{0})
		digits, base, spaced := strings.Cut(string(head), " ")
		mode, err := strconv.ParseUint(digits, 8, 32)
		if !ok || !spaced || err != nil || len(rest) < len(id{}) {
			return nil, fmt.Errorf("tree %s has a broken entry %q", name, head)
		}
		list = append(list, version{path: below + base, mode: canonical(uint32(mode)), object: id(rest[:len(id{})])})
		content = rest[len(id{}):]
	}
	return list, nil
}

// files adds to list what is below a tree, but for what other, a level of
// another tree, has the same.
func (e *embedded) files(list, level []version, other map[string]version) ([]version, error) {
	for _, v := range level {
		twin, both := other[v.path]
		both = both && twin.mode == v.mode
		switch {
		case both && twin.object == v.object:
		case v.mode != dirMode:
			list = append(list, v)
		default:
			inside, err := e.level(v.object, v.path+"/")
			if err != nil {
				return nil, err
			}
			beside := []version(nil)
			if both {
				if beside, err = e.level(twin.object, v.path+"/"); err != nil {
					return nil, err
				}
			}
			if list, err = e.files(list, inside, byPath(beside)); err != nil {
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

// between lists the files of two commits or trees, but for those that are the
// same in both.
func (e *embedded) between(old, now string) (a, b []version, err error) {
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

// inOrder refuses trees that git would not have written: whatever it makes of them
// depends on their order.
func inOrder(list []version) error {
	for i := range list[:max(0, len(list)-1)] {
		if list[i].path >= list[i+1].path {
			return needsGit("a tree that is not in order")
		}
	}
	return nil
}

// committed lists the files of a commit or a tree.
func (e *embedded) committed(name string) ([]version, error) {
	none, all, err := e.between(e.emptyTree(), name)
	return append(none, all...), err
}
