package gitfile

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own checksum
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Index is the content of the index file, in versions 2 to 4 of
// https://git-scm.com/docs/index-format.
type Index struct {
	Entries []IndexEntry // in byte order of path, then stage
	Written Instant      // the time of the file
}

// IndexEntry is one path at one stage.
type IndexEntry struct {
	Path   string
	Mode   uint32
	Object ID
	Stat   Stat
	Stage  int // 0, or the side of an unmerged path

	AssumeUnchanged, SkipWorktree, IntentToAdd bool
}

// Flags of an entry; the last two are in the second word of version 3.
const (
	flagAssumed  = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagSkipped  = 0x4000
	flagIntended = 0x2000
)

// indexFixed is the size of an entry up to and including the flags.
const (
	indexHeader = 12
	indexFixed  = 62
	indexSum    = sha1.Size
)

// ReadIndex reads an index of version 2 to 4, described in gitformat-index(5). A missing file,
// as before the first git add, is an empty index. An index that is split, sparse or otherwise
// incomplete is refused.
func ReadIndex(file string) (*Index, error) {
	b, err := regular.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	x := &Index{}
	if s, ok := StatOf(info); ok {
		x.Written = s.Mtime
	}
	if err := x.parse(b); errors.Is(err, diff.ErrNeedsGit) {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("index %s: %w", file, err)
	}
	return x, nil
}

var errShortIndex = errors.New("it ends too early")

func (x *Index) parse(b []byte) error {
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
	x.Entries = make([]IndexEntry, 0, min(int(n), len(body)/indexFixed)) // n is not trusted
	at, name := indexHeader, []byte(nil)
	for range n {
		e, next, err := parseEntry(body[at:], version, &name)
		if err != nil {
			return err
		}
		e.Path = string(name)
		x.Entries = append(x.Entries, e)
		at += next
	}
	if err := knownExtensions(body[at:]); err != nil {
		return err
	}
	for i := range x.Entries[:max(0, len(x.Entries)-1)] {
		if !x.Entries[i].before(&x.Entries[i+1]) {
			return fmt.Errorf("%q is out of order", x.Entries[i+1].Path)
		}
	}
	return nil
}

var errNoIndex = errors.New("it is not an index; want one that starts with DIRC")

// parseHeader returns the version of an index and the number of its entries.
func parseHeader(b []byte) (version, n uint32, err error) {
	if len(b) < indexHeader || string(b[:4]) != "DIRC" {
		return 0, 0, errNoIndex
	}
	version, n = binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return 0, 0, diff.NeedsGit("an index of version " + strconv.Itoa(int(version)))
	}
	return version, n, nil
}

func (e *IndexEntry) before(f *IndexEntry) bool {
	return e.Path < f.Path || e.Path == f.Path && e.Stage < f.Stage
}

// parseEntry parses the entry at the start of b, except its path: name holds the path of the
// previous entry, and then its own.
func parseEntry(b []byte, version uint32, name *[]byte) (e IndexEntry, next int, err error) {
	if len(b) < indexFixed {
		return e, 0, errShortIndex
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	e.Stat = Stat{
		Ctime: Instant{word(0), word(1)}, Mtime: Instant{word(2), word(3)},
		Ino: word(5), UID: word(7), GID: word(8), Size: word(9),
	}
	e.Mode = word(6)
	copy(e.Object[:], b[40:])
	flags := binary.BigEndian.Uint16(b[60:])
	e.AssumeUnchanged, e.Stage = flags&flagAssumed != 0, int(flags&flagStage>>12)
	from := indexFixed
	if flags&flagExtended != 0 {
		if len(b) < from+2 {
			return e, 0, errShortIndex
		}
		more := binary.BigEndian.Uint16(b[from:])
		e.SkipWorktree, e.IntentToAdd = more&flagSkipped != 0, more&flagIntended != 0
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

// prefixLength parses how many bytes of the previous name are dropped, in the variable-width
// encoding of pack offsets.
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

// knownExtensions refuses extensions that git must understand, whose names begin with a small
// letter.
func knownExtensions(b []byte) error {
	for len(b) > 0 {
		if len(b) < 8 {
			return errShortIndex
		}
		switch name := string(b[:4]); {
		case name == "link":
			return diff.NeedsGit("a split index")
		case name == "sdir":
			return diff.NeedsGit("a sparse index")
		case name[0] < 'A' || name[0] > 'Z':
			return diff.NeedsGit("an index with the extension " + strconv.Quote(name))
		}
		size := 8 + int(binary.BigEndian.Uint32(b[4:]))
		if size > len(b) {
			return errShortIndex
		}
		b = b[size:]
	}
	return nil
}
