package program

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/git"
)

// glimpse is an entry of an index whose path is still a part of the index.
type glimpse struct {
	indexEntry
	name []byte
}

// entry returns the entry with its path.
func (g glimpse) entry() indexEntry {
	e := g.indexEntry
	e.path = string(g.name)
	return e
}

// glance visits the entries of an index of version 2 to 4 in its order and returns what is after them. It passes
// nearly all of them by their length alone.
func glance(index []byte, format string, visit func(glimpse)) (rest []byte, err error) {
	const header = 12
	size := git.NewHash(format).Size()
	if len(index) < header+size {
		return nil, errShortIndex
	}
	if string(index[:4]) != "DIRC" {
		return nil, errors.New("it is not an index; want one that starts with DIRC")
	}
	version, n := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("version %d; want 2, 3 or 4", version)
	}
	rest = index[header : len(index)-size]
	path := ""
	for ; n > 0; n-- {
		at := objectPlace + size + 2
		if len(rest) < at {
			return nil, errShortIndex
		}
		flags := binary.BigEndian.Uint16(rest[at-2:])
		if length := int(flags & (flagExtended | lengthBits)); version < 4 && length < lengthBits {
			end := (at + length + 8) &^ 7
			if end > len(rest) {
				return nil, errShortIndex
			}
			visit(glimpse{indexEntry{fixed: rest[:at-2], flags: flags}, rest[at : at+length]})
			rest = rest[end:]
			continue
		}
		e, length, err := parseEntry(rest, size, version == 4, path)
		if err != nil {
			return nil, err
		}
		visit(glimpse{e, []byte(e.path)})
		path, rest = e.path, rest[length:]
	}
	return rest, nil
}
