package commands

import (
	"fmt"
	"slices"
)

// outputEnds is how many bytes of each end of a stream are kept.
const outputEnds = 32 << 10

// output keeps both ends of what is written to it, in a bounded space.
type output struct {
	head, tail []byte
	start      int   // of what is oldest in a full tail
	cut        int64 // bytes between head and tail that were let go
}

// Write never fails, so that a program is not stopped by how much it prints.
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

// bytes are what was written, and in the place of what was let go how much it was.
func (o *output) bytes() []byte {
	tail := slices.Concat(o.tail[o.start:], o.tail[:o.start])
	if o.cut == 0 {
		return slices.Concat(o.head, tail)
	}
	return slices.Concat(o.head, fmt.Appendf(nil, "\n… %d bytes are left out here …\n", o.cut), tail)
}
