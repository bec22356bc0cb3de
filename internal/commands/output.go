package commands

import (
	"fmt"
	"slices"
)

// outputEnds is the number of bytes that are kept of each end of a stream.
const outputEnds = 32 << 10

// output keeps the beginning and the end of what is written to it.
type output struct {
	head, tail []byte
	start      int   // of the oldest bytes in a full tail
	cut        int64 // number of bytes dropped between head and tail
}

// Write never fails, so that a program can print any amount.
func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	take := min(outputEnds-len(o.head), len(p))
	o.head = append(o.head, p[:take]...)
	p = p[take:]
	if over := len(p) - outputEnds; over > 0 {
		o.cut += int64(over)
		p = p[over:]
	}
	if grow := min(outputEnds-len(o.tail), len(p)); grow > 0 {
		o.tail = append(o.tail, p[:grow]...)
		p = p[grow:]
	}
	o.cut += int64(len(p))
	for len(p) > 0 {
		written := copy(o.tail[o.start:], p)
		o.start = (o.start + written) % outputEnds
		p = p[written:]
	}
	return n, nil
}

// bytes returns what was written, with a note in place of dropped bytes.
func (o *output) bytes() []byte {
	tail := slices.Concat(o.tail[o.start:], o.tail[:o.start])
	if o.cut == 0 {
		return slices.Concat(o.head, tail)
	}
	return slices.Concat(o.head, fmt.Appendf(nil, "\n… %d bytes omitted …\n", o.cut), tail)
}
