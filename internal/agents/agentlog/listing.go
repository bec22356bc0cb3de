package agentlog

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// Listing identifies the state of the files that inputs lead to.
type Listing struct {
	// Digest is of the name, size, times, and beginning and end of each file.
	Digest [sha256.Size]byte
	// Newest is when a file was last written, or its name or mode changed.
	Newest time.Time
}

// List identifies what [Each] would read. ok is false if the inputs are not files of this
// machine that can be listed, so that nothing is known of them without reading.
func List(ctx context.Context, inputs []Input, o Options) (l Listing, ok bool, err error) {
	if slices.ContainsFunc(inputs, func(in Input) bool { return in.FS != nil || in.Reader != nil }) {
		return l, false, nil
	}
	found, err := find(ctx, inputs, o)
	if err != nil {
		return l, false, err
	}
	files := found.files
	jobs := o.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	states := iter.Mapper[file, state]{MaxGoroutines: jobs}.Map(files, func(f *file) state { return stateOf(f.Path) })
	h := sha256.New()
	for i, s := range states {
		if s.err != nil {
			return l, false, nil //nolint:nilerr // reading the file reports the error
		}
		writeText(h, files[i].Path)
		_, _ = h.Write(s.digest[:])
		if s.newest.After(l.Newest) {
			l.Newest = s.newest
		}
	}
	for _, d := range found.unread {
		writeText(h, d.String())
	}
	h.Sum(l.Digest[:0])
	return l, true, ctx.Err()
}

// state identifies the content of a file and of the log that a database may have.
type state struct {
	digest [sha256.Size]byte
	newest time.Time
	err    error
}

func stateOf(name string) (s state) {
	h := sha256.New()
	for _, name := range []string{name, name + "-wal"} {
		changed, err := writeState(h, name)
		if errors.Is(err, fs.ErrNotExist) && len(name) > 0 && s.err == nil && !s.newest.IsZero() {
			writeText(h, "no log of a database")
			continue
		}
		if s.err = err; err != nil {
			return s
		}
		if changed.After(s.newest) {
			s.newest = changed
		}
	}
	h.Sum(s.digest[:0])
	return s
}

// edge is how much of the beginning and of the end of a file is compared.
const edge = 4 << 10

// writeState writes what identifies the content of a file, and returns when it changed.
func writeState(h hash.Hash, name string) (changed time.Time, err error) {
	f, err := regular.Open(name)
	if err != nil {
		return changed, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return changed, err
	}
	changed = info.ModTime()
	id, changedAt := identity(info)
	if changedAt.After(changed) {
		changed = changedAt
	}
	for _, n := range []int64{info.Size(), info.ModTime().UnixNano(), changedAt.UnixNano(), id} {
		_ = binary.Write(h, binary.LittleEndian, n) // a hash takes everything
	}
	return changed, writeEdges(h, f, info.Size())
}

// writeEdges writes the beginning and the end of a file.
func writeEdges(h io.Writer, f *os.File, size int64) error {
	var buf [edge]byte
	for _, at := range []int64{0, max(0, size-edge)} {
		n, err := f.ReadAt(buf[:], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		_, _ = h.Write(buf[:n])
		if size <= edge {
			break
		}
	}
	return nil
}

func writeText(h hash.Hash, text string) {
	_ = binary.Write(h, binary.LittleEndian, int64(len(text)))
	_, _ = io.WriteString(h, text)
}
