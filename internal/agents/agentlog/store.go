package agentlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/sqlite"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// stored is a session in a database of many.
type stored struct {
	record.Session

	reader record.Reader
	// changed reports whether the agent wrote to the database after it was opened.
	changed func() bool
}

// openStores replaces each database of sessions by one file per session. A database that no
// reader knows remains, with the reason. closes frees what is open.
func openStores(files []file) (all []file, closes func()) {
	var opened []io.Closer
	all, files = openFiles(files)
	for _, f := range files {
		if isLog(f.Path) && f.stream == nil && !isDatabase(f.Path) { // rows of text
			all = append(all, f)
			continue
		}
		sessions, closers, err := f.openStore()
		opened = append(opened, closers...)
		if sessions == nil {
			f.refused = err
			all = append(all, f)
			continue
		}
		for i := range sessions {
			f.stored = &sessions[i]
			all = append(all, f)
		}
	}
	return all, func() {
		for _, c := range opened {
			_ = c.Close() // nothing was written
		}
	}
}

// openStore opens a file that is a database and returns its sessions, which are nil if the
// file is not a database, or if no reader knows its tables; then err explains why.
func (f *file) openStore() (sessions []stored, opened []io.Closer, err error) {
	content, size, opened, err := f.openDatabase()
	if content == nil {
		return nil, opened, err
	}
	changed := func() bool { return false }
	db := record.Database{ReaderAt: content, Size: size}
	if f.stream == nil {
		log := *f
		log.Path += "-wal"
		changed = f.watch(log.Path)
		raw, err := log.openRaw()
		switch at, ok := raw.(io.ReaderAt); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, opened, err
		case ok:
			db.Log, opened = at, append(opened, raw)
		default:
			data, err := readAtMost(raw, maxDocument)
			if err != nil {
				return nil, append(opened, raw), fmt.Errorf("%s: %w", log.Path, err)
			}
			db.Log, opened = bytes.NewReader(data), append(opened, raw)
		}
	}
	var problems []error
	for i := range readers {
		r := readers[i].Reader
		if !r.Claims(record.First{Database: true}) {
			continue
		}
		list, err := r.Sessions(&record.File{Log: record.New(f.Path, nil), Database: &db})
		if err == nil {
			return storedIn(r, list, changed), opened, nil
		}
		problems = append(problems, fmt.Errorf("not a database of %s: %w", r.Name(), err))
	}
	return nil, opened, errors.Join(problems...)
}

// storedIn returns the sessions that a reader found in one database.
func storedIn(r record.Reader, list []record.Session, changed func() bool) []stored {
	sessions := make([]stored, len(list))
	for i, s := range list {
		s.Log.Start = s.Log.Begin
		sessions[i] = stored{s, r, changed}
	}
	return sessions
}

// openDatabase opens a file that begins as a database does; content is nil for any other.
// What cannot be read at any place, such as a compressed file, is read into memory.
func (f *file) openDatabase() (content io.ReaderAt, size int64, opened []io.Closer, err error) {
	begins := func(head []byte) bool { return string(head) == sqlite.Magic }
	head := f.stream
	if head == nil {
		raw, err := f.openRaw()
		if err != nil {
			return nil, 0, nil, nil // reading the file reports the error
		}
		opened = append(opened, raw)
		if at, ok := raw.(io.ReaderAt); ok {
			magic := make([]byte, len(sqlite.Magic))
			_, _ = at.ReadAt(magic, 0) // a shorter file is no database
			info, err := raw.(fs.File).Stat()
			if begins(magic) && err == nil {
				return at, info.Size(), opened, nil
			}
		}
		head = bufio.NewReaderSize(raw, 4096)
	}
	if f.stream != nil {
		if magic, _ := head.Peek(len(sqlite.Magic)); !begins(magic) {
			return nil, 0, nil, nil // also of a compressed one
		}
	}
	text, frees, err := inflate.Open(head, f.free)
	if err != nil {
		return nil, 0, opened, nil // reading the file reports the error
	}
	defer frees()
	unpacked := bufio.NewReader(text)
	if magic, _ := unpacked.Peek(len(sqlite.Magic)); !begins(magic) {
		return nil, 0, opened, nil
	}
	data, err := readAtMost(unpacked, maxDocument)
	if err != nil {
		return nil, 0, opened, err
	}
	return bytes.NewReader(data), int64(len(data)), opened, nil
}

// readAtMost reads all of r, or fails.
func readAtMost(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("a database that is compressed, or in a git tree, is read up to %d bytes; want it as a file of the machine", most)
	}
	return data, err
}

// watch returns a function that reports whether the database or its write-ahead log was
// written over since. What was only added to the log is of no account.
func (f *file) watch(log string) (changed func() bool) {
	if f.FS != nil {
		return func() bool { return false }
	}
	state := func() (s [2]string) {
		if info, err := os.Stat(f.Path); err == nil {
			s[0] = fmt.Sprint(info.Size(), info.ModTime())
		}
		if head, err := regular.Open(log); err == nil {
			defer head.Close()
			text := make([]byte, 32)
			n, _ := io.ReadFull(head, text)
			s[1] = string(text[:n])
		}
		return s
	}
	before := state()
	return func() bool { return state() != before }
}

// read reads the session.
func (s *stored) read(f *file, o Options) *part {
	p := newPart(f.Path, o)
	p.reader = s.reader
	p.rows, p.bytes = s.Read(p.Log)
	if s.changed() {
		p.Note(fact.Unreadable, 0, "the agent wrote to the database while it was read; run the command again, or read a copy", true)
	}
	p.finish()
	return p
}
