package agentlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// maxDocument is the largest log that is read as one document.
const maxDocument = 64 << 20

// Settled is how long a log must have been left alone to count as written to its end, and
// its state as one that no later change shares: a file system may give two changes the same
// time.
const Settled = 3 * time.Second

// growing reports whether the log may still be written.
func (f *file) growing(now time.Time) bool {
	stat := os.Stat
	switch {
	case f.stream != nil || now.IsZero():
		return false // it has ended, or the caller does not ask
	case f.FS != nil:
		stat = func(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }
	}
	info, err := stat(f.Path)
	return err == nil && now.Sub(info.ModTime()) < Settled
}

// openRaw opens a log as it is.
func (f *file) openRaw() (io.ReadCloser, error) {
	if f.FS != nil {
		return f.FS.Open(f.Path)
	}
	return regular.Open(f.Path)
}

// open opens a log and decompresses it if necessary.
func (f *file) open() (r io.Reader, closes func() error, err error) {
	head := f.stream
	closes = func() error { return nil }
	if head == nil {
		raw, err := f.openRaw()
		if err != nil {
			return nil, closes, err
		}
		head, closes = bufio.NewReaderSize(raw, 4096), raw.Close
	}
	r, frees, err := inflate.Open(head, f.free)
	if err != nil {
		return nil, closes, err
	}
	shut := closes
	return r, func() error { frees(); return shut() }, nil
}

// read reads a file. It returns buf, perhaps grown, for the next file.
func (f *file) read(buf []byte, o Options) (*part, []byte) {
	if p := f.contents; p != nil {
		f.contents = nil
		return p, buf
	}
	if f.stored != nil {
		return f.stored.read(f, o), buf
	}
	p := newPart(f.Path, o)
	if f.refused != nil {
		p.Note(fact.Unrecognised, 1, "no reader knows this database: "+f.refused.Error(), true)
		p.finish()
		return p, buf
	}
	r, closes, err := f.open()
	defer closes() //nolint:errcheck // nothing was written
	if err != nil {
		p.Note(fact.Unreadable, 0, err.Error(), true)
		p.finish()
		return p, buf
	}
	l := jsonscan.NewLines(r, buf)
	p.readAll(l, func() bool { return f.growing(o.Now) })
	p.rows, p.bytes = l.Number, l.Size
	if l.Err != nil && !errors.Is(l.Err, io.EOF) {
		p.Note(fact.Unreadable, l.Number, l.Err.Error(), true)
	}
	p.finish()
	return p, l.Buffer()
}

// readAll reads all rows of a file, or one document.
func (p *part) readAll(l *jsonscan.Lines, growing func() bool) {
	s := scanner{Lines: l, part: p, growing: growing}
	f := s.claim()
	if f == nil {
		return
	}
	sessions, err := p.reader.Sessions(f)
	if err != nil {
		p.Note(fact.Unreadable, l.Number, err.Error(), true)
	}
	p.sessions, p.others = sessions, f.Others
}

// unrecognised notes that no reader claims the file. Rows are a log whose events are
// missing, as is a document about a session; any other .json document may be anything.
func (p *part) unrecognised(first record.First) {
	loss := path.Ext(inflate.Bare(p.File)) != ".json" || !first.JSON || first.IsAboutSession()
	if !loss {
		p.Log = record.New(p.File, nil)
	}
	p.Note(fact.Unrecognised, 1, "no reader knows this file", loss)
}

// trim removes what writers and crashes leave around a row.
func (p *part) trim(row []byte, line int) []byte {
	row = bytes.TrimRight(row, " \t\r")
	bare := bytes.Trim(bytes.TrimPrefix(row, []byte("\xef\xbb\xbf")), "\x00")
	if len(bare) != len(row) {
		p.Note(fact.Padded, line, "a byte order mark or NUL bytes around a row", false)
	}
	return bytes.TrimSpace(bare)
}
