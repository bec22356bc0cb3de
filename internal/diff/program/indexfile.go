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

// indexState is one state of the index, which is kept while the file is the same: several answers need
// it, and the index of 100,000 files has twelve megabytes.
type indexState struct {
	info  fs.FileInfo
	bytes []byte // callers must not change them

	marking  sync.Mutex
	isMarked bool
	marked   []marked // its marked entries, if isMarked
}

// indexNow returns the present state of the index.
func (p *Engine) indexNow() (*indexState, error) {
	p.indexMutex.Lock()
	defer p.indexMutex.Unlock()
	info, err := os.Stat(p.repo.IndexFile)
	if err != nil {
		return nil, err
	}
	if known := p.index; known != nil && os.SameFile(known.info, info) && unchanged(known.info, info) {
		return known, nil
	}
	content, err := regular.ReadFile(p.repo.IndexFile)
	if err != nil {
		return nil, err
	}
	p.index = &indexState{info: info, bytes: content}
	return p.index, nil
}

// readIndex returns the bytes of the index, which the caller must not change.
func (p *Engine) readIndex() ([]byte, error) {
	now, err := p.indexNow()
	if err != nil {
		return nil, err
	}
	return now.bytes, nil
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
