package jsonscan

import (
	"bytes"
	"errors"
	"io"
)

const (
	chunk     = 256 << 10 // the reading buffer at its smallest
	wholeLine = 4 << 20   // a longer line has its long strings cut
	keptText  = 64 << 10  // of each such string
	keptLine  = 8 << 20   // of a line longer than this even so, only the start is kept
)

// Lines reads JSON texts line by line into a buffer that it reuses.
type Lines struct {
	r          io.Reader
	buf        []byte
	start, end int // of the bytes read and not yet returned

	Number  int   // of the last line, from 1
	Size    int64 // bytes read
	Err     error // that ended reading, such as io.EOF
	Unended bool  // the last line has no end, as one that is still written
}

// Completeness classifies lines by how much of them is kept.
type Completeness int

// The kinds of lines.
const (
	Whole Completeness = iota
	Cut                // its long strings are cut
	Lost               // too long even so; only its start is kept
)

// NewLines returns the lines of r. It reads into buf, which may be nil.
func NewLines(r io.Reader, buf []byte) *Lines { return &Lines{r: r, buf: buf} }

// Buffer returns the buffer, perhaps grown, for the next use once reading has ended.
func (l *Lines) Buffer() []byte { return l.buf }

// Next returns a line without its end, valid until the next call. ok is false at the end of
// the input and after an error, which is in Err.
func (l *Lines) Next() (line []byte, kept Completeness, ok bool) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); i >= 0 {
			i += searched
			line = l.buf[l.start : l.start+i]
			l.start += i + 1
			l.Number++
			return line, Whole, true
		}
		searched = l.end - l.start
		if l.Err != nil {
			if searched == 0 {
				return nil, Whole, false
			}
			line = l.buf[l.start:l.end]
			l.start = l.end
			l.Number++
			l.Unended = errors.Is(l.Err, io.EOF)
			return line, Whole, true
		}
		if searched >= wholeLine {
			return l.elide()
		}
		l.fill()
	}
}

// fill reads more bytes after those not yet returned.
func (l *Lines) fill() {
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if l.end == len(l.buf) {
		grown := make([]byte, max(chunk, 2*len(l.buf)))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	l.Size += int64(n)
	l.Err = err
}

// elide reads a very long line and cuts its long strings, so that a row with hundreds of
// MB of output can still be read. A digest of what is cut replaces it, so that different
// strings remain different.
func (l *Lines) elide() (line []byte, kept Completeness, ok bool) {
	l.Number++
	var (
		text     []byte // of the line, as far as it is kept
		inString bool
		escaped  bool
		length   int  // of the string so far
		keep     bool // the character being read
		removed  = newDigest()
	)
	for {
		for i, c := range l.buf[l.start:l.end] {
			if c == '\n' {
				l.start += i + 1
				return finished(text)
			}
			if !escaped { // an escape is kept or cut with its backslash
				keep = !inString || c == '"' || length < keptText
			}
			if c == '"' && !escaped && removed.length > 0 {
				text = removed.appendTo(text)
				removed = newDigest()
			}
			if !keep {
				removed.add(c)
			} else if len(text) <= keptLine {
				text = append(text, c)
			}
			length++
			switch {
			case escaped:
				escaped = false
			case c == '"':
				inString, length = !inString, 0
			default:
				escaped = inString && c == '\\'
			}
		}
		l.start = l.end
		if l.Err != nil {
			l.Unended = errors.Is(l.Err, io.EOF)
			return finished(text)
		}
		l.fill()
	}
}

// finished returns a line whose text was kept.
func finished(text []byte) (line []byte, kept Completeness, ok bool) {
	if len(text) > keptLine {
		return text, Lost, true
	}
	return text, Cut, true
}
