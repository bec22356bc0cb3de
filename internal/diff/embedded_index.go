package diff

import (
	"bufio"
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own checksum
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// index is the index file, all of it.
type index struct {
	entries []indexEntry // in byte order of path, then stage
	written instant      // when
}

// indexEntry is one path at one stage.
type indexEntry struct {
	path   string
	mode   uint32
	object id
	stat   stat
	stage  int // 0, or that of an unmerged path

	assumed, skipped, intended bool // assume-unchanged, skip-worktree, intent-to-add
}

// Flags of an entry; the last two are in the second word that version 3 has.
const (
	flagAssumed  = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagLength   = 0x0fff
	flagSkipped  = 0x4000
	flagIntended = 0x2000
)

// indexFixed is an entry's size up to the flags, indexSum that of the checksum.
const (
	indexHeader = 12
	indexFixed  = 62
	indexSum    = sha1.Size
)

// readIndex reads an index of version 2 to 4: gitformat-index(5). There is none
// before the first git add. An index that is split, sparse or otherwise not all
// there is refused.
func readIndex(file string) (*index, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &index{}, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	x := &index{}
	if s, ok := statOf(info); ok {
		x.written = s.mtime
	}
	if err := x.parse(b); errors.Is(err, ErrNeedsGit) {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("index %s: %w", file, err)
	}
	return x, nil
}

var errShortIndex = errors.New("it ends too early")

func (x *index) parse(b []byte) error {
	if len(b) < indexHeader+indexSum {
		return errNoIndex
	}
	version, n, err := parseHeader(b)
	if err != nil {
		return err
	}
	body, sum := b[:len(b)-indexSum], b[len(b)-indexSum:]
	if want := sha1.Sum(body); !bytes.Equal(sum, want[:]) && !bytes.Equal(sum, make([]byte, indexSum)) { //nolint:gosec // as above
		return errors.New("its checksum is wrong")
	}
	at, name := indexHeader, []byte(nil)
	for range n {
		e, next, err := parseEntry(body[at:], version, &name)
		if err != nil {
			return err
		}
		e.path = string(name)
		x.entries = append(x.entries, e)
		at += next
	}
	if err := knownExtensions(bufio.NewReader(bytes.NewReader(body[at:]))); err != nil {
		return err
	}
	for i := range x.entries[:max(0, len(x.entries)-1)] {
		if !x.entries[i].before(x.entries[i+1]) {
			return fmt.Errorf("%q is out of order", x.entries[i+1].path)
		}
	}
	return nil
}

var errNoIndex = errors.New("it is no index; want one that starts with DIRC")

// parseHeader gives the version of an index and how many entries it has.
func parseHeader(b []byte) (version, n uint32, err error) {
	if len(b) < indexHeader || string(b[:4]) != "DIRC" {
		return 0, 0, errNoIndex
	}
	version, n = binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return 0, 0, needsGit("an index of version " + strconv.Itoa(int(version)))
	}
	return version, n, nil
}

func (e indexEntry) before(f indexEntry) bool {
	return e.path < f.path || e.path == f.path && e.stage < f.stage
}

// parseEntry reads the entry that b begins with, but for its path: name has that of
// the entry before, and then its own, until b changes.
func parseEntry(b []byte, version uint32, name *[]byte) (e indexEntry, next int, err error) {
	if len(b) < indexFixed {
		return e, 0, errShortIndex
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	e.stat = stat{
		ctime: instant{word(0), word(1)}, mtime: instant{word(2), word(3)},
		ino: word(5), uid: word(7), gid: word(8), size: word(9),
	}
	e.mode = word(6)
	copy(e.object[:], b[40:])
	flags := binary.BigEndian.Uint16(b[60:])
	e.assumed, e.stage = flags&flagAssumed != 0, int(flags&flagStage>>12)
	from := indexFixed
	if flags&flagExtended != 0 {
		if len(b) < from+2 {
			return e, 0, errShortIndex
		}
		more := binary.BigEndian.Uint16(b[from:])
		e.skipped, e.intended = more&flagSkipped != 0, more&flagIntended != 0
		from += 2
	}
	kept := 0
	if version == 4 {
		dropped, n := prefixLength(b[from:])
		if n == 0 || dropped > len(*name) {
			return e, 0, errShortIndex
		}
		kept, from = len(*name)-dropped, from+n
	}
	length := bytes.IndexByte(b[from:], 0)
	if length < 0 {
		return e, 0, errShortIndex
	}
	next = from + length + 1
	if version < 4 {
		*name = b[from : from+length]
		next = (from + length + 8) &^ 7
	} else {
		*name = append((*name)[:kept:kept], b[from:from+length]...)
	}
	if next > len(b) {
		return e, 0, errShortIndex
	}
	return e, next, nil
}

// prefixLength reads how many bytes of the name before are dropped, in the
// variable-width form of pack offsets.
func prefixLength(b []byte) (dropped, n int) {
	for i, c := range b {
		if i > 0 {
			dropped++
		}
		dropped = dropped<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return dropped, i + 1
		}
		if i == 4 {
			break
		}
	}
	return 0, 0
}
