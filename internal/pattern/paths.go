package pattern

import (
	"index/suffixarray"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// Paths finds the paths that a pattern matches. It tries them all, until that has taken
// longer than to index their text. It is safe for concurrent use.
type Paths struct {
	sorted []string
	tried  atomic.Int64
	build  sync.Once
	text   *suffixarray.Index
	starts []int // of each path in the text
}

// Limits of how many paths are tried: in any case, and, as a multiple of all, until they are
// indexed.
const (
	fewPaths = 32
	maxTries = 32
)

// NewPaths returns the paths, which must be in byte order, for searching.
func NewPaths(sorted []string) *Paths { return &Paths{sorted: sorted} }

// Match yields the index of each path that the pattern matches, in order.
func (ps *Paths) Match(p *Pattern) iter.Seq[int] {
	return func(yield func(int) bool) {
		from, to := ps.below(p.Prefix())
		try := func(i int) (more bool) {
			_, ok := p.Match(ps.sorted[i])
			return !ok || yield(i)
		}
		if to-from > fewPaths && ps.tried.Load() > int64(maxTries*len(ps.sorted)) {
			if candidates, ok := ps.candidates(p, to-from); ok {
				ps.tried.Add(int64(len(candidates)))
				for _, i := range candidates {
					if !try(i) {
						break
					}
				}
				return
			}
		}
		for i := from; i < to; i++ {
			if !try(i) {
				ps.tried.Add(int64(i - from))
				return
			}
		}
		ps.tried.Add(int64(to - from))
	}
}

// below returns the range of paths with a prefix.
func (ps *Paths) below(prefix string) (from, to int) {
	from = sort.SearchStrings(ps.sorted, prefix)
	return from, from + sort.Search(len(ps.sorted)-from, func(i int) bool { return !strings.HasPrefix(ps.sorted[from+i], prefix) })
}

// In the text, every path is between NULs, which no path contains, and begins with "/".
const (
	separator = "\x00"
	beginning = separator + "/"
)

func (ps *Paths) index() {
	size := len(separator)
	for _, path := range ps.sorted {
		size += len(path) + len(beginning)
	}
	text := make([]byte, 0, size)
	ps.starts = make([]int, len(ps.sorted))
	for i, path := range ps.sorted {
		ps.starts[i] = len(text)
		text = append(append(text, beginning...), path...)
	}
	ps.text = suffixarray.New(append(text, separator...))
}

// candidates returns fewer than so many paths, in order, among which are all that the pattern
// matches.
func (ps *Paths) candidates(p *Pattern, fewer int) (list []int, ok bool) {
	ps.build.Do(ps.index)
	for i := range p.branches {
		found, ok := ps.rarest(p.branches[i].literals(), fewer)
		if !ok {
			return nil, false
		}
		for _, offset := range found {
			list = append(list, sort.SearchInts(ps.starts, offset+1)-1)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), true
}

// rarest returns where one of the texts occurs that occurs seldom, if one occurs fewer times
// than given.
func (ps *Paths) rarest(texts []string, fewer int) (found []int, ok bool) {
	const growth = 8
	for limit := fewPaths; limit < fewer; limit *= growth {
		for _, text := range texts {
			if found = ps.text.Lookup([]byte(text), limit); len(found) < limit {
				return found, true
			}
		}
	}
	return nil, false
}

// literals returns texts that the indexed text of each path has that the branch matches.
func (b *branch) literals() []string {
	if len(b.ops) == 0 {
		return []string{beginning + b.prefix + separator}
	}
	var texts []string
	segment := "" // "/" where a segment begins
	for _, o := range b.ops {
		if o.kind == opText {
			texts = append(texts, segment+o.text)
		}
		if segment = ""; o.kind == opDirs {
			segment = "/"
		}
	}
	if b.suffix != "" {
		texts = append(texts, segment+b.suffix+separator)
	}
	if b.prefix != "" {
		texts = append(texts, beginning+b.prefix)
	}
	return texts
}
