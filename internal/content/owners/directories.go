package owners

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// directories knows which directories at head are new.
type directories struct {
	files []string        // at head, in byte order
	added map[string]bool // those that are new
	gone  []string        // names that the change removed, in byte order
	known map[string]bool // whether a directory is new
}

func directoriesOf(changes []diff.Change, files []string) *directories {
	d := &directories{files: files, added: map[string]bool{}, known: map[string]bool{}}
	for i := range changes {
		switch c := &changes[i]; c.Status { //nolint:exhaustive // the others are at the base too
		case diff.Added:
			d.added[c.Path] = true
		case diff.Renamed:
			d.added[c.Path] = true
			d.gone = append(d.gone, c.OldPath)
		case diff.Deleted:
			d.gone = append(d.gone, c.Path)
		}
	}
	slices.Sort(d.gone)
	return d
}

// has reports whether a file exists at head.
func (d *directories) has(path string) bool {
	_, ok := slices.BinarySearch(d.files, path)
	return ok
}

// created returns the highest directory above a file that the base does not have, or "".
func (d *directories) created(path string) string {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		dir := path[:i]
		created, ok := d.known[dir]
		if !ok {
			created = d.isNew(dir + "/")
			d.known[dir] = created
		}
		if created {
			return dir
		}
	}
	return ""
}

// isNew reports whether all files below a directory are new, and none was there.
func (d *directories) isNew(dir string) bool {
	if at, _ := slices.BinarySearch(d.gone, dir); at < len(d.gone) && strings.HasPrefix(d.gone[at], dir) {
		return false
	}
	at, _ := slices.BinarySearch(d.files, dir)
	for ; at < len(d.files) && strings.HasPrefix(d.files[at], dir); at++ {
		if !d.added[d.files[at]] {
			return false
		}
	}
	return true
}
