package pattern

import "strings"

// Most paths fail here, without a look at the ops.
func (b *branch) admits(path string) bool {
	return len(path) >= b.least && strings.HasPrefix(path, b.prefix) && strings.HasSuffix(path, b.suffix)
}

// matches reports whether the branch describes the path.
func (b *branch) matches(path string) bool {
	_, ok := b.match(path, nil)
	return ok
}

// match returns also what the variables hold.
func (b *branch) match(path string, vars []Variable) (Captures, bool) {
	if !b.admits(path) {
		return nil, false
	}
	if len(b.ops) == 0 {
		return nil, len(path) == len(b.prefix)
	}
	var (
		failures [16]failure
		spans    [8]span
	)
	r := run{ops: b.ops, path: path[:len(path)-len(b.suffix)], failures: failures[:], spans: spans[:], setting: 1, settings: 1}
	if b.vars > len(failures) {
		r.failures = make([]failure, b.vars)
	}
	if b.slots > len(spans) {
		r.spans = make([]span, b.slots)
	}
	if !r.from(0, len(b.prefix)) {
		return nil, false
	}
	if len(vars) == 0 {
		return nil, true
	}
	c := make(Captures, len(vars))
	for i, v := range vars {
		c[v.Name] = path[r.spans[i].from:r.spans[i].to]
	}
	return c, true
}

// span is a part of a path.
type span struct{ from, to int }

// run matches one path. It tries the ways to read it in order of preference,
// and remembers which cannot work, so that no op tries the same end twice.
type run struct {
	ops      []op
	path     string // up to the suffix
	failures []failure
	spans    []span // by slot

	// A failure holds as long as the repeated captures stay as they are. Each way
	// to set them has a number from 1: the current one, and the last given out.
	setting, settings int
}

// failure says that an op fails wherever it begins in a part of the path: if
// it fails at one place, then also at those behind it that it could reach.
type failure struct {
	setting int // 0: nothing is known
	span        // up to the end of the segment, or of the path for ops across segments
}

// failed returns what is known to fail for the op, and whether that still
// holds.
func (r *run) failed(o *op) (span, bool) {
	f := &r.failures[o.index]
	return f.span, f.setting == r.setting
}

// fail notes that the op fails from a place to the end of its reach. It returns
// false.
func (r *run) fail(o *op, from, to int) bool {
	r.failures[o.index] = failure{setting: r.setting, span: span{from, to}}
	return false
}

// from matches the ops from i on with the path from pos on.
func (r *run) from(i, pos int) bool {
	for ; i < len(r.ops); i++ {
		o := &r.ops[i]
		rest := r.path[pos:]
		switch o.kind {
		case opText:
			if !strings.HasPrefix(rest, o.text) {
				return false
			}
			pos += len(o.text)
		case opAgain:
			s := r.spans[o.slot]
			if !strings.HasPrefix(rest, r.path[s.from:s.to]) {
				return false
			}
			pos += s.to - s.from
		case opOne:
			if rest == "" || rest[0] == '/' {
				return false
			}
			pos += width(rest)
		case opClass:
			n, ok := o.class.contains(rest)
			if !ok {
				return false
			}
			pos += n
		case opRest:
			return true
		case opBelow:
			return rest == "" || rest[0] == '/'
		case opStar:
			return r.star(i, pos)
		case opDirs:
			return r.dirs(i, pos)
		case opSingle:
			return r.single(i, pos)
		case opMulti:
			return r.multi(i, pos)
		}
	}
	return pos == len(r.path)
}

// segmentEnd returns where the segment around pos ends.
func (r *run) segmentEnd(pos int) int {
	if n := strings.IndexByte(r.path[pos:], '/'); n >= 0 {
		return pos + n
	}
	return len(r.path)
}
