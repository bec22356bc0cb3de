package pattern

import (
	"slices"
	"strings"
)

// Outside returns the pattern without the files in directories of a name, at the root or
// anywhere. Alternatives that have the name in their text match them as before.
func (p *Pattern) Outside(dir string) *Pattern {
	limited := *p
	limited.outside = dir
	limited.branches = slices.Clone(p.branches)
	for i := range limited.branches {
		if b := &limited.branches[i]; !b.has(dir) {
			b.outside = "/" + dir + "/"
		}
	}
	return &limited
}

// has reports whether the literal text of the branch has this text in it.
func (b *branch) has(text string) bool {
	return strings.Contains(b.prefix, text) || strings.Contains(b.suffix, text) ||
		slices.ContainsFunc(b.ops, func(o op) bool { return strings.Contains(o.text, text) })
}

// within reports whether a path is in a directory, whose name has "/" on both sides.
func within(path, dir string) bool {
	return strings.HasPrefix(path, dir[1:]) || strings.Contains(path, dir)
}
