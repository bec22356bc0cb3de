package report

import (
	"encoding/binary"
	"iter"
	"time"
)

// Moment is one event of a session's timeline. Its text is truncated and masked.
type Moment struct {
	At     time.Time
	Kind   string // command, file_edit, read, mcp, other, prompt or tokens
	Text   string // the command, the paths or the tool
	Failed bool
	// Used and Cached are the sums of kind tokens, as [fact.TokenCount] has them.
	Used, Cached int64
	Log          string
	Line         int
}

// Timeline holds the moments of a session in a tenth of their memory, because a report has
// those of all sessions: texts once, and numbers in as few bytes as they need.
type Timeline string

// What the first byte of a moment states.
const (
	hasTime = 1 << iota
	hasFailed
	hasUsed
	hasCached
)

// NewTimeline returns the timeline of moments.
func NewTimeline(moments ...Moment) Timeline {
	b := make([]byte, 0, 12*len(moments)) // most need no more
	texts := map[string]uint64{}
	text := func(s string) {
		n, ok := texts[s]
		b = binary.AppendUvarint(b, n)
		if !ok {
			texts[s] = uint64(len(texts)) + 1
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	second, line := int64(0), 0
	for _, m := range moments {
		first := len(b)
		b = append(b, 0)
		if !m.At.IsZero() {
			b[first] |= hasTime
			b = binary.AppendVarint(b, m.At.Unix()-second)
			b = binary.AppendUvarint(b, shortened(m.At.Nanosecond()))
			second = m.At.Unix()
		}
		if m.Failed {
			b[first] |= hasFailed
		}
		for i, n := range [...]int64{m.Used, m.Cached} {
			if n != 0 {
				b[first] |= hasUsed << i
				b = binary.AppendVarint(b, n)
			}
		}
		text(m.Kind)
		text(m.Text)
		text(m.Log)
		b = binary.AppendVarint(b, int64(m.Line-line))
		line = m.Line
	}
	return Timeline(b)
}

// shortened returns nanoseconds as a number that is small if they are whole milliseconds.
func shortened(nanoseconds int) uint64 {
	if nanoseconds%1e6 == 0 {
		return uint64(nanoseconds / 1e6 * 2) //nolint:gosec // it is not negative
	}
	return uint64(nanoseconds*2 + 1) //nolint:gosec // it is not negative
}

// All yields the moments in their order.
func (t Timeline) All() iter.Seq[Moment] {
	return func(yield func(Moment) bool) {
		r := timelineReader{rest: t}
		for len(r.rest) > 0 {
			if !yield(r.next()) {
				return
			}
		}
	}
}

type timelineReader struct {
	rest   Timeline
	texts  []string
	second int64 // of the last moment with a time
	line   int
}

func (r *timelineReader) next() (m Moment) {
	has := r.rest[0]
	r.rest = r.rest[1:]
	if has&hasTime != 0 {
		r.second += r.varint()
		part := r.uvarint()
		if part%2 == 0 {
			part *= 1e6
		}
		m.At = time.Unix(r.second, int64(part/2)).UTC() //nolint:gosec // less than a second
	}
	m.Failed = has&hasFailed != 0
	if has&hasUsed != 0 {
		m.Used = r.varint()
	}
	if has&hasCached != 0 {
		m.Cached = r.varint()
	}
	m.Kind, m.Text, m.Log = r.text(), r.text(), r.text()
	r.line += int(r.varint())
	m.Line = r.line
	return m
}

// text reads a text, or the number of one that was read before.
func (r *timelineReader) text() string {
	if n := r.uvarint(); n > 0 {
		return r.texts[n-1]
	}
	n := r.uvarint()
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	r.texts = append(r.texts, text)
	return text
}

func (r *timelineReader) varint() int64 {
	n, size := binary.Varint(r.number())
	r.rest = r.rest[size:]
	return n
}

func (r *timelineReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.number())
	r.rest = r.rest[size:]
	return n
}

// number returns the bytes of the next number, and perhaps more.
func (r *timelineReader) number() []byte {
	return []byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)])
}
