package agentlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// maxDocument is the largest log that is read as one document.
const maxDocument = 64 << 20

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
	return f.readAs(buf, o, nil)
}

// readAs reads a file, of many sessions if s is not nil.
func (f *file) readAs(buf []byte, o Options, s *sessions) (*part, []byte) {
	p := newPart(f.Path, o)
	p.sessions = s
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
	p.readAll(l)
	p.rows, p.bytes = l.Number, l.Size
	if s != nil && s.rows != nil {
		s.others = s.rows.Finish()
	}
	if l.Err != nil && !errors.Is(l.Err, io.EOF) {
		p.Note(fact.Unreadable, l.Number, l.Err.Error(), true)
	}
	p.finish()
	return p, l.Buffer()
}

// maxUnclaimed is how many bytes of rows are kept until one shows the format of a file.
const maxUnclaimed = 1 << 20

// rowReader passes rows to the reader that claims the file, also those before the row that
// shows the format.
type rowReader struct {
	*part

	parse  func(row []byte, line int) bool // nil until a row shows the format
	before [][]byte                        // the rows until then
	lines  []int
	size   int
}

func (r *rowReader) add(row []byte, line int) {
	if r.parse == nil {
		first := record.ReadFirst(row)
		if r.reader = readerOf(first, false); r.reader == nil {
			if r.size += len(row); r.size > maxUnclaimed {
				r.UnknownRow(time.Time{}, line, "rows before the first of a known format")
				return
			}
			r.before, r.lines = append(r.before, slices.Clone(row)), append(r.lines, line)
			return
		}
		r.parse = r.open()
		for i, row := range r.before {
			r.read(row, r.lines[i])
		}
	}
	r.read(row, line)
}

func (r *rowReader) read(row []byte, line int) {
	if r.Row = row; !r.parse(row, line) {
		r.Note(fact.Damaged, line, "lines that are not JSON objects", true)
	}
}

// readAll reads all rows of a file, or one document.
func (p *part) readAll(l *jsonscan.Lines) {
	rows := rowReader{part: p}
	started := false
	for {
		row, kept, ok := l.Next()
		if !ok {
			break
		}
		switch kept {
		case jsonscan.Lost:
			p.Note(fact.TooLong, l.Number, "a line was too long to read", !p.isUncounted(record.ReadFirst(row).Kind))
			continue
		case jsonscan.Cut:
			p.Note(fact.Elided, l.Number, "the long texts of a very long line were cut", false)
		case jsonscan.Whole:
		}
		if row = p.trim(row, l.Number); len(row) == 0 {
			if p.reader != nil && p.reader.Text {
				continue
			}
			p.Note(fact.Blank, l.Number, "empty lines", false)
			continue
		}
		if !started {
			started = true
			if first := record.ReadFirst(row); readerOf(first, false) == nil {
				if p.readDocument(first, row, l, &rows) {
					return
				}
				continue
			}
		}
		rows.add(row, l.Number)
	}
	if rows.parse == nil && l.Number > 0 {
		first := record.FirstRow{}
		if len(rows.before) > 0 {
			first = record.ReadFirst(rows.before[0])
		}
		p.unrecognised(first)
	}
}

// unrecognised notes that no reader claims the file. Rows are a log whose events are
// missing, as is a document about a session; any other .json document may be anything.
func (p *part) unrecognised(first record.FirstRow) {
	loss := path.Ext(inflate.Bare(p.File)) != ".json" || !first.JSON || first.IsAboutSession()
	if !loss {
		p.ForgetNotes()
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

// readDocument reads a file whose first line begins one document. It returns false if the
// file is not a document; then the lines read so far are rows.
func (p *part) readDocument(first record.FirstRow, line []byte, l *jsonscan.Lines, rows *rowReader) bool {
	p.reader = readerOf(first, true)
	begins := string(line) == "{" || string(line) == "["
	if p.reader == nil && !begins {
		rows.add(line, l.Number)
		return false
	}
	number := l.Number
	text := slices.Clone(line)
	if !first.JSON {
		text = append(text, '\n')
		for len(text) <= maxDocument {
			row, kept, ok := l.Next()
			if !ok {
				break
			}
			if kept != jsonscan.Whole {
				p.Note(fact.Elided, l.Number, "the long texts of a very long line were cut", false)
			}
			text = append(append(text, row...), '\n')
		}
	}
	if p.reader == nil {
		first = record.ReadFirst(text)
		p.reader = readerOf(first, true)
	}
	switch {
	case p.reader != nil:
		if !p.open()(bytes.TrimRight(text, "\x00 \t\r\n"), 1) {
			p.Note(fact.Damaged, 1, "the document is not a JSON object", true)
		}
		return true
	case first.JSON:
		p.unrecognised(first)
		return true
	}
	for row := range bytes.Lines(text) {
		if row = p.trim(bytes.TrimRight(row, "\n"), number); len(row) == 0 {
			p.Note(fact.Blank, number, "empty lines", false)
		} else {
			rows.add(row, number)
		}
		number++
	}
	return false
}
