package agentlog

import (
	"bytes"
	"io"
)

const (
	chunk     = 256 << 10 // the reading buffer at its smallest
	wholeLine = 4 << 20   // a longer line has its long strings cut
	keptText  = 64 << 10  // of each such string
	keptLine  = 8 << 20   // of a line longer than this even so, only the start is kept
)

// lines reads a log line by line into a buffer that it reuses.
type lines struct {
	r          io.Reader
	buf        []byte
	start, end int // of the bytes read and not yet returned
	err        error

	number int   // of the last line, from 1
	size   int64 // bytes read
}

// lineState classifies lines by their completeness.
type lineState int

const (
	whole lineState = iota
	cut             // its long strings are cut
	lost            // too long even so; only its start is kept
)

// next returns a line without its end, valid until the next call. ok is false at the end
// of the log or on an error, which is then in err.
func (l *lines) next() (line []byte, state lineState, ok bool) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); i >= 0 {
			i += searched
			line = l.buf[l.start : l.start+i]
			l.start += i + 1
			l.number++
			return line, whole, true
		}
		searched = l.end - l.start
		if l.err != nil {
			if searched == 0 {
				return nil, whole, false
			}
			line = l.buf[l.start:l.end]
			l.start = l.end
			l.number++
			return line, whole, true
		}
		if searched >= wholeLine {
			return l.elide()
		}
		l.fill()
	}
}

// fill reads more bytes after those not yet returned.
func (l *lines) fill() {
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
	l.size += int64(n)
	l.err = err
}

// elide reads a very long line and cuts its long strings, so that a row with hundreds of
// MB of output can still be read.
func (l *lines) elide() (line []byte, state lineState, ok bool) {
	l.number++
	var (
		kept     []byte
		inString bool
		escaped  bool
		length   int  // of the string so far
		keep     bool // the character being read
	)
	for {
		for i, c := range l.buf[l.start:l.end] {
			if c == '\n' {
				l.start += i + 1
				return finished(kept)
			}
			if !escaped { // an escape is kept or cut with its backslash
				keep = !inString || c == '"' || length < keptText
			}
			if keep && len(kept) <= keptLine {
				kept = append(kept, c)
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
		if l.err != nil {
			return finished(kept)
		}
		l.fill()
	}
}

func finished(kept []byte) (line []byte, state lineState, ok bool) {
	if len(kept) > keptLine {
		return kept, lost, true
	}
	return kept, cut, true
}
