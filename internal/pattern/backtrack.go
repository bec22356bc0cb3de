package pattern

import "strings"

// star tries the shortest text first.
func (r *run) star(i, pos int) bool {
	o := &r.ops[i]
	end := r.segmentEnd(pos)
	if o.whole {
		return r.from(i+1, end)
	}
	stop := end + 1
	if f, ok := r.failed(o); ok && f.to == end {
		stop = f.from
	}
	if pos >= stop {
		return false
	}
	for to := pos; to < stop; to += width(r.path[to:]) {
		if r.from(i+1, to) {
			return true
		}
		if to == end {
			break
		}
	}
	return r.fail(o, pos, end)
}

// dirs tries the fewest segments first.
func (r *run) dirs(i, pos int) bool {
	o := &r.ops[i]
	if o.slashes >= 0 {
		start, ok := r.tail(pos, o.slashes)
		return ok && r.from(i+1, start)
	}
	stop := len(r.path) + 1
	if f, ok := r.failed(o); ok {
		stop = f.from
	}
	if pos >= stop {
		return false
	}
	for start := pos; start < stop; {
		if r.from(i+1, start) {
			return true
		}
		end := r.segmentEnd(start)
		if end == len(r.path) {
			break
		}
		start = end + 1
	}
	return r.fail(o, pos, len(r.path))
}

// tail returns the start of the segment, not before pos, after which the path has
// the given number of slashes.
func (r *run) tail(pos, slashes int) (int, bool) {
	start := len(r.path)
	for {
		n := strings.LastIndexByte(r.path[pos:start], '/')
		switch {
		case n >= 0 && slashes > 0:
			start = pos + n
			slashes--
		case n >= 0:
			return pos + n + 1, true
		default:
			return pos, slashes == 0
		}
	}
}

// single tries the longest text first.
func (r *run) single(i, pos int) bool {
	o := &r.ops[i]
	end := r.segmentEnd(pos)
	if pos == end {
		return false
	}
	if o.whole {
		return r.take(i, pos, end)
	}
	last := end
	if f, ok := r.failed(o); ok && f.to == end && !o.depends() {
		if pos >= f.from {
			return false
		}
		last = f.from
	}
	for to := last; to > pos; to -= lastWidth(r.path[pos:to]) {
		if r.take(i, pos, to) {
			return true
		}
	}
	return r.fail(o, pos, end)
}

// multi tries the longest text first.
func (r *run) multi(i, pos int) bool {
	o := &r.ops[i]
	end := len(r.path)
	if pos == end || r.path[pos] == '/' {
		return false
	}
	if i+1 == len(r.ops) {
		return r.path[end-1] != '/' && r.take(i, pos, end)
	}
	last := end
	if f, ok := r.failed(o); ok && !o.depends() {
		if pos >= f.from {
			return false
		}
		last = f.from
	}
	for to := r.before(i+1, pos, last); to > pos; to = r.before(i+1, pos, to-lastWidth(r.path[pos:to])) {
		if r.path[to-1] != '/' && r.take(i, pos, to) {
			return true
		}
	}
	return r.fail(o, pos, end)
}

// depends reports whether what follows a capture depends on its text, and not only on its
// end, so that a failure at one position is none at another.
func (o *op) depends() bool { return o.again || o.write != noFilter }

// before returns the last position up to limit at which op i, if it is text, can
// begin, or pos if there is none after pos.
func (r *run) before(i, pos, limit int) int {
	text := r.ops[i].text
	if text == "" || limit <= pos {
		return limit
	}
	return max(pos, pos+1+strings.LastIndex(r.path[pos+1:min(len(r.path), limit+len(text))], text))
}

// take sets a capture and matches the following ops.
func (r *run) take(i, from, to int) bool {
	o := &r.ops[i]
	if o.write != noFilter && !o.write.keeps(r.path[from:to]) {
		return false
	}
	if o.slot >= 0 {
		r.spans[o.slot] = span{from, to}
	}
	if !o.again {
		return r.from(i+1, to)
	}
	outer := r.setting
	r.settings++
	r.setting = r.settings
	ok := r.from(i+1, to)
	r.setting = outer
	return ok
}
