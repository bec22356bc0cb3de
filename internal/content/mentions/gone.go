package mentions

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// gone is a file or directory that the change removed.
type gone struct {
	name      string // without a slash at the end
	directory bool
	removed   string // the file, or the first file of the directory
	renamedTo string
	highest   string // the highest directory at or above it that is gone, with a slash
	mixed     bool   // of a directory: its files were not all renamed to one other
}

// Name returns the name as it is shown.
func (g *gone) Name() string {
	if g.directory {
		return g.name + "/"
	}
	return g.name
}

// removal is a file that the change took away, and where it went.
type removal struct{ old, renamedTo string }

// removals lists the names that the change took away, in byte order.
func removals(changes []diff.Change) []removal {
	var list []removal
	for i := range changes {
		switch c := &changes[i]; c.Status {
		case diff.Deleted:
			list = append(list, removal{old: c.Path})
		case diff.Renamed:
			list = append(list, removal{c.OldPath, c.Path})
		default: // its name is still there
		}
	}
	slices.SortFunc(list, func(a, b removal) int { return strings.Compare(a.old, b.old) })
	return list
}

// goneOf returns the paths that head does not have, by name: the removed files, and the
// directories above them in which head has nothing.
func goneOf(list []removal, head tree) map[string]*gone {
	all := map[string]*gone{}
	for _, r := range list {
		if head.has(r.old) || transient(r.old) {
			continue // another change took the name; or a next one may
		}
		file := &gone{name: r.old, removed: r.old, renamedTo: r.renamedTo}
		all[r.old] = file
		for dir := path.Dir(r.old); dir != "." && !head.has(dir); dir = path.Dir(dir) {
			file.highest = dir + "/"
			d := all[dir]
			if d == nil {
				d = &gone{name: dir, directory: true, removed: r.old}
				all[dir] = d
			}
			d.join(r)
		}
	}
	for _, g := range all {
		if g.directory {
			g.highest = all[g.removed].highest
		}
		if g.mixed {
			g.renamedTo = ""
		}
	}
	return all
}

// join adds a removed file to its directory, which has a new name if all its files went there.
func (g *gone) join(r removal) {
	below := r.old[len(g.name):]
	to, same := strings.CutSuffix(r.renamedTo, below)
	switch {
	case !same || to == "" || g.renamedTo != "" && g.renamedTo != to+"/":
		g.mixed = true
	default:
		g.renamedTo = to + "/"
	}
}

// tree is every file at head, in byte order.
type tree []string

// has reports whether a file, or a directory with a file, is at head.
func (t tree) has(name string) bool {
	_, file := slices.BinarySearch(t, name)
	return file || t.below(name+"/")
}

// through reports whether a name goes through a link or a submodule, which may have it.
func (t tree) through(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, file := slices.BinarySearch(t, dir); file {
			return true
		}
	}
	return false
}

// below reports whether a file begins with a prefix.
func (t tree) below(prefix string) bool {
	at, _ := slices.BinarySearch(t, prefix)
	return at < len(t) && strings.HasPrefix(t[at], prefix)
}

// hasLast reports whether a file or directory has a name, in whatever directory.
func (t tree) hasLast(name string) bool {
	inner, last := "/"+name+"/", "/"+name
	return t.has(name) || slices.ContainsFunc(t, func(file string) bool {
		return strings.Contains(file, inner) || strings.HasSuffix(file, last)
	})
}
