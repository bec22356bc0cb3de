package program

import (
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// maxSpecBytes bounds the pathspecs of one process: Windows accepts 32,767 characters in
// all, other systems far more.
const maxSpecBytes = 24 << 10

// magic takes a name literally and from the top of the repository, in whatever directory git
// runs.
const magic = ":(top,literal)"

// specBytes returns what a name adds to a command line; Windows may quote it.
func specBytes(name string) int { return len(magic) + len(name) + 3 }

// pathspecs limits a command to names. It returns nil if they are too long; the caller
// filters the answer anyway. Git rejects names outside the repository, where no file can
// match, so they are left out.
func pathspecs(names []string) []string {
	size := 0
	specs := make([]string, 0, len(names))
	for _, name := range names {
		if !filepath.IsLocal(name) {
			continue
		}
		if size += specBytes(name); size > maxSpecBytes {
			return nil
		}
		specs = append(specs, magic+name)
	}
	return specs
}

// pathspecsOf distributes the names of changes to several commands, with both names of a
// rename in the same one.
func pathspecsOf(list []diff.Change) [][]string {
	var pieces [][]string
	size := maxSpecBytes
	for i := range list {
		names := list[i].Names()
		specs := pathspecs(names)
		if len(specs) == 0 {
			continue
		}
		more := 0
		for _, name := range names {
			more += specBytes(name)
		}
		if size += more; size > maxSpecBytes {
			pieces, size = append(pieces, nil), more
		}
		at := len(pieces) - 1
		pieces[at] = append(pieces[at], specs...)
	}
	return pieces
}
