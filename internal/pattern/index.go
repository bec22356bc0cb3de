package pattern

import (
	"slices"
	"strings"
)

// Index finds the patterns that match a path without trying them all. It is
// immutable and safe for concurrent use.
type Index struct {
	root     node
	within   map[string][]entry // branches without a literal beginning, by a directory in every match
	patterns []*Pattern
}

// node holds the branches whose literal beginning is the node's directory.
type node struct {
	children map[string]*node
	anywhere []entry            // branches without a literal ending
	byEnding map[string][]entry // the others, by ending
}

// entry is one branch of one pattern.
type entry struct{ pattern, branch int }

// NewIndex returns an index of patterns.
func NewIndex(patterns []*Pattern) *Index {
	ix := &Index{patterns: slices.Clone(patterns)}
	for i, p := range patterns {
		for j := range p.branches {
			b := &p.branches[j]
			directories := b.directories()
			if dir := b.innerDirectory(); directories == "" && dir != "" {
				ix.within = added(ix.within, dir, entry{i, j})
				continue
			}
			n := ix.root.descend(directories)
			if key, ok := b.ending(); ok {
				n.byEnding = added(n.byEnding, key, entry{i, j})
			} else {
				n.anywhere = append(n.anywhere, entry{i, j})
			}
		}
	}
	return ix
}

func added(entries map[string][]entry, key string, e entry) map[string][]entry {
	if entries == nil {
		entries = map[string][]entry{}
	}
	entries[key] = append(entries[key], e)
	return entries
}

// descend returns the node of a directory, whose segments each end with "/".
func (n *node) descend(path string) *node {
	for path != "" {
		var segment string
		segment, path, _ = strings.Cut(path, "/")
		child := n.children[segment]
		if child == nil {
			child = &node{}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[segment] = child
		}
		n = child
	}
	return n
}

// directories returns the segments, each with its "/", that every match of the
// branch begins with; a match may lack the last "/".
func (b *branch) directories() string {
	if len(b.ops) == 0 {
		return b.prefix + "/"
	}
	return b.prefix[:strings.LastIndexByte(b.prefix, '/')+1]
}

// innerDirectory returns the longest directory name that every match of the branch
// contains, or "".
func (b *branch) innerDirectory() string {
	longest, opens := "", false // opens: a segment begins here
	for _, o := range b.ops {
		if o.kind == opText {
			rest := o.text
			for {
				dir, after, ok := strings.Cut(rest, "/")
				if !ok {
					break
				}
				if opens && len(dir) > len(longest) {
					longest = dir
				}
				rest, opens = after, true
			}
			opens = opens && rest == ""
			continue
		}
		opens = o.kind == opDirs
	}
	return longest
}

// ending returns the ending of all matches of the branch if they have the same.
func (b *branch) ending() (string, bool) {
	e := ending(b.suffix)
	whole := strings.Contains(b.suffix, "/") || len(b.ops) > 0 && b.ops[len(b.ops)-1].kind == opDirs
	return e, whole || strings.HasPrefix(e, ".")
}

// ending returns the extension of a file name with its ".", or the whole name if it
// has none.
func ending(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name[max(0, strings.LastIndexByte(name, '.')):]
}

// hit is a match of one branch.
type hit struct {
	entry
	captures Captures
}

// Match calls yield for every pattern that matches path with the pattern's index,
// in ascending order. Up to 16 hits it allocates only the captures.
func (ix *Index) Match(path string, yield func(i int, c Captures)) {
	var space [16]hit
	hits := space[:0]
	key := ending(path)
	n, rest, more := &ix.root, path, true
	for n != nil {
		hits = ix.try(hits, n.anywhere, path)
		if n.byEnding != nil {
			hits = ix.try(hits, n.byEnding[key], path)
		}
		if !more || n.children == nil {
			break
		}
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		n = n.children[segment]
	}
	if ix.within != nil {
		for dir, rest, ok := strings.Cut(path, "/"); ok; dir, rest, ok = strings.Cut(rest, "/") {
			hits = ix.try(hits, ix.within[dir], path)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.pattern != b.pattern {
			return a.pattern - b.pattern
		}
		return a.branch - b.branch
	})
	last := -1
	for _, h := range hits {
		if h.pattern != last {
			yield(h.pattern, h.captures)
		}
		last = h.pattern
	}
}

// try appends the entries that match.
func (ix *Index) try(hits []hit, entries []entry, path string) []hit {
	for _, e := range entries {
		p := ix.patterns[e.pattern]
		if c, ok := p.branches[e.branch].match(path, p.variables); ok {
			hits = append(hits, hit{e, c})
		}
	}
	return hits
}
