package program

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

var errShortIndex = errors.New("it ends too early")

// indexCache holds the bytes of one state of the index.
type indexCache struct {
	sync.Mutex
	info  fs.FileInfo // nil: none is known
	bytes []byte
}

// readIndex returns the bytes of the index, which the caller must not change. Several answers need
// them, and the index of 100,000 files has twelve megabytes.
func (p *Engine) readIndex() ([]byte, error) {
	c := &p.index
	c.Lock()
	defer c.Unlock()
	info, err := os.Stat(p.repo.IndexFile)
	if err != nil {
		return nil, err
	}
	if c.info != nil && os.SameFile(c.info, info) && unchanged(c.info, info) {
		return c.bytes, nil
	}
	read, err := regular.ReadFile(p.repo.IndexFile)
	if err == nil {
		c.info, c.bytes = info, read
	}
	return read, err
}

// parseEntries returns the entries of an index.
func parseEntries(index []byte, format string) (list []indexEntry, err error) {
	_, err = glance(index, format, func(g glimpse) { list = append(list, g.entry()) })
	return list, err
}

// parseEntry parses one entry and returns its length. In version 4 the path shares a prefix
// with the one before it.
func parseEntry(b []byte, size int, shares bool, before string) (e indexEntry, length int, err error) {
	at := objectPlace + size + 2
	if len(b) < at+2 {
		return e, 0, errShortIndex
	}
	e.fixed, e.flags = b[:at-2], binary.BigEndian.Uint16(b[at-2:])
	if e.flags&flagExtended != 0 {
		e.extended = binary.BigEndian.Uint16(b[at:])
		at += 2
	}
	if shares {
		dropped, n := offset(b[at:])
		if n == 0 || dropped > len(before) {
			return e, 0, errShortIndex
		}
		e.path, at = before[:len(before)-dropped], at+n
	}
	end := bytes.IndexByte(b[at:], 0)
	if end < 0 {
		return e, 0, errShortIndex
	}
	e.path += string(b[at : at+end])
	at += end + 1
	if !shares {
		at = (at + 7) &^ 7 // NULs up to a multiple of eight, at least one
	}
	if at > len(b) {
		return e, 0, errShortIndex
	}
	return e, at, nil
}

// offset parses a number in the encoding of offsets in packs.
func offset(b []byte) (value, length int) {
	for i, c := range b[:min(len(b), 5)] {
		if i > 0 {
			value++
		}
		if value = value<<7 | int(c&0x7f); c&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// formatEntries formats an index of version 3 without extensions.
func formatEntries(list []indexEntry, format string) []byte {
	b := []byte("DIRC\x00\x00\x00\x03")
	b = binary.BigEndian.AppendUint32(b, uint32(len(list))) //nolint:gosec // as many as git wrote
	for _, e := range list {
		begin := len(b)
		b = append(b, e.fixed...)
		length := uint16(min(len(e.path), lengthBits))
		b = binary.BigEndian.AppendUint16(b, e.flags&^lengthBits|length)
		if e.flags&flagExtended != 0 {
			b = binary.BigEndian.AppendUint16(b, e.extended)
		}
		b = append(b, e.path...)
		b = append(b, make([]byte, 8-(len(b)-begin)%8)...)
	}
	sum := git.NewHash(format)
	sum.Write(b)
	return sum.Sum(b)
}
