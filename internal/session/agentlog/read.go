package agentlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/session"
)

// maxDocument is the largest log that is read as one document.
const maxDocument = 64 << 20

// open opens a log and decompresses it if necessary.
func (f *file) open() (r io.Reader, closes func() error, err error) {
	head := f.stream
	closes = func() error { return nil }
	if head == nil {
		var raw io.ReadCloser
		if f.FS != nil {
			raw, err = f.FS.Open(f.Path)
		} else {
			raw, err = regular.Open(f.Path)
		}
		if err != nil {
			return nil, closes, err
		}
		head, closes = bufio.NewReaderSize(raw, 4096), raw.Close
	}
	r = head
	if magic, err := head.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if r, err = gzip.NewReader(head); err != nil {
			return nil, closes, err
		}
	}
	return r, closes, nil
}

// read reads a file. It returns buf, perhaps grown, for the next file.
func (f *file) read(buf []byte, o Options) (*part, []byte) {
	if f.contents != nil {
		return f.contents, buf
	}
	p := newPart(f.Path)
	r, closes, err := f.open()
	defer closes() //nolint:errcheck // nothing was written
	if err != nil {
		p.note(session.Unreadable, 0, err.Error(), true)
		p.finish()
		return p, buf
	}
	l := jsonscan.NewLines(r, buf)
	p.readAll(l, o)
	p.rows, p.bytes = l.Number, l.Size
	if l.Err != nil && !errors.Is(l.Err, io.EOF) {
		p.note(session.Unreadable, l.Number, l.Err.Error(), true)
	}
	p.finish()
	return p, l.Buffer()
}

// readAll passes each row to the reader that claims the file.
func (p *part) readAll(l *jsonscan.Lines, o Options) {
	var parse func([]byte, int) bool
	unclaimed := 0
	for {
		row, kept, ok := l.Next()
		if !ok {
			break
		}
		switch kept {
		case jsonscan.Lost:
			p.note(session.TooLong, l.Number, "a line was too long to read", !p.isUncounted(readFirst(row).kind))
			continue
		case jsonscan.Cut:
			p.note(session.Elided, l.Number, "the long texts of a very long line were cut", false)
		case jsonscan.Whole:
		}
		if row = p.trim(row, l.Number); len(row) == 0 {
			p.note(session.Blank, l.Number, "empty lines", false)
			continue
		}
		if parse == nil {
			first := readFirst(row)
			if p.reader = readerOf(first, false); p.reader == nil && unclaimed == 0 {
				if p.readDocument(first, row, l, o) {
					return
				}
			}
			if p.reader == nil {
				unclaimed++
				if first.json {
					p.note(session.UnknownType, l.Number, "rows before the first of a known format", false)
				} else {
					p.note(session.Damaged, l.Number, "lines that are not JSON objects", true)
				}
				continue
			}
			parse = p.reader.open(p, o)
		}
		if !parse(row, l.Number) {
			p.note(session.Damaged, l.Number, "lines that are not JSON objects", true)
		}
	}
	if parse == nil && l.Number > 0 {
		p.unrecognised()
	}
}

// unrecognised notes that no reader claims the file. A .json document may be anything,
// but rows are a log whose events are missing.
func (p *part) unrecognised() {
	loss := path.Ext(strings.TrimSuffix(p.file, ".gz")) != ".json"
	if !loss {
		p.Diagnostics = nil
		clear(p.notes)
	}
	p.note(session.Unrecognised, 1, "no reader knows this file", loss)
}

// trim removes what writers and crashes leave around a row.
func (p *part) trim(row []byte, line int) []byte {
	row = bytes.TrimRight(row, " \t\r")
	bare := bytes.Trim(bytes.TrimPrefix(row, []byte("\xef\xbb\xbf")), "\x00")
	if len(bare) != len(row) {
		p.note(session.Padded, line, "a byte order mark or NUL bytes around a row", false)
	}
	return bytes.TrimSpace(bare)
}

// readDocument reads a file whose first line begins one document. It returns false, with
// the file unclaimed, if no reader of documents may know it.
func (p *part) readDocument(first firstRow, line []byte, l *jsonscan.Lines, o Options) bool {
	p.reader = readerOf(first, true)
	if p.reader == nil && (first.json || string(line) != "{") {
		return false
	}
	text := slices.Clone(line)
	if !first.json {
		text = append(text, '\n')
		for len(text) <= maxDocument {
			row, kept, ok := l.Next()
			if !ok {
				break
			}
			if kept != jsonscan.Whole {
				p.note(session.Elided, l.Number, "the long texts of a very long line were cut", false)
			}
			text = append(append(text, row...), '\n')
		}
		if p.reader == nil {
			p.reader = readerOf(readFirst(text), true)
		}
	}
	text = bytes.TrimRight(text, "\x00 \t\r\n")
	switch {
	case p.reader == nil:
		p.unrecognised()
	case !p.reader.open(p, o)(text, 1):
		p.note(session.Damaged, 1, "the document is not a JSON object", true)
	}
	return true
}
