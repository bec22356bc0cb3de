package gitfile

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The types of files in a mode, which git keeps in its high bits.
const (
	TypeBits    = 0o170000
	RegularMode = 0o100000
	LinkMode    = 0o120000
	DirMode     = 0o040000
	ModuleMode  = 0o160000
)

// CanonicalMode returns the mode that git makes of one in a tree or an index.
func CanonicalMode(mode uint32) uint32 {
	switch mode & TypeBits {
	case RegularMode:
		if mode&0o100 != 0 {
			return 0o100755
		}
		return 0o100644
	case LinkMode, DirMode:
		return mode & TypeBits
	default:
		return ModuleMode
	}
}

// OctalMode formats a mode as in the raw diff format.
func OctalMode(mode uint32) string { return fmt.Sprintf("%06o", mode) }

// TreeEntry is an entry of a tree.
type TreeEntry struct {
	Name   string
	Mode   uint32 // canonical
	Object ID
}

// Tree reads the entries of one tree in git's order: a directory sorts as if its name ended
// in a slash.
func (o *Objects) Tree(name ID) ([]TreeEntry, error) {
	kind, content, err := o.Read(name)
	if err != nil {
		return nil, err
	}
	if kind != TypeTree {
		return nil, fmt.Errorf("object %s is a %s; want a tree", name, kind)
	}
	var list []TreeEntry
	for len(content) > 0 {
		head, rest, ok := bytes.Cut(content, []byte{0})
		digits, base, spaced := strings.Cut(string(head), " ")
		mode, err := strconv.ParseUint(digits, 8, 32)
		if !ok || !spaced || err != nil || len(rest) < len(ID{}) {
			return nil, fmt.Errorf("tree %s has a broken entry %q", name, head)
		}
		list = append(list, TreeEntry{Name: base, Mode: CanonicalMode(uint32(mode)), Object: ID(rest[:len(ID{})])})
		content = rest[len(ID{}):]
	}
	return list, nil
}
