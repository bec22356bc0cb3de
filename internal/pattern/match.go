package pattern

import "strings"

// admits checks length, prefix and suffix, which rules out most paths quickly.
func (b *branch) admits(path string) bool {
	return len(path) >= b.least && strings.HasPrefix(path, b.prefix) && strings.HasSuffix(path, b.suffix) &&
		(b.outside == "" || !within(path, b.outside))
}

// matches reports whether the branch matches the path.
func (b *branch) matches(path string) bool {
	_, ok := b.match(path, nil)
	return ok
}

// match reports whether the branch matches the path, and returns its captures.
func (b *branch) match(path string, vars []Variable) (Captures, bool) {
	if !b.admits(path) {
		return nil, false
	}
	if len(b.ops) == 0 && len(path) != len(b.prefix) {
		return nil, false
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
	if len(b.ops) > 0 && !r.from(0, len(b.prefix)) {
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

// run matches one path. It tries alternatives in order of preference and records
// failures, so that no op tries the same end twice.
type run struct {
	ops      []op
	path     string // up to the suffix
	failures []failure
	spans    []span // by slot

	// A failure holds for one value of the repeated captures. Each combination of
	// their values has a number from 1: the current one, and the last used.
	setting, settings int
}

// failure records that an op fails at every position of a span: if it fails at one
// position, it also fails at the later ones that it could reach.
type failure struct {
	setting int // 0: no failure
	span        // up to the end of the segment, or of the path for ops across segments
}

// failed returns the recorded failure of an op, and whether it holds for the
// current captures.
func (r *run) failed(o *op) (span, bool) {
	f := &r.failures[o.index]
	return f.span, f.setting == r.setting
}

// fail records that the op fails between two positions. It returns false.
func (r *run) fail(o *op, from, to int) bool {
	r.failures[o.index] = failure{setting: r.setting, span: span{from, to}}
	return false
}

// from matches the ops from index i on with the path from pos on.
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
			text := o.write.of(r.path[s.from:s.to])
			if !strings.HasPrefix(rest, text) {
				return false
			}
			pos += len(text)
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
			return rest != ""
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
