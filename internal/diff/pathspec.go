package diff

import "path/filepath"

// argumentBytes bounds the pathspecs of one process: Windows takes 32,767
// characters in all, other systems far more.
const argumentBytes = 24 << 10

// magic takes a name as it is and from the top of the repository, wherever git
// runs.
const magic = ":(top,literal)"

// specBytes is what a name adds to a command line; Windows may quote it.
func specBytes(name string) int { return len(magic) + len(name) + 3 }

// pathspecs limit a command to names. There are none where they would be too
// long; the caller picks from the whole answer anyway. Git refuses names that
// lead out of the repository, where there is nothing to be found, so they are
// left out.
func pathspecs(names []string) []string {
	size := 0
	specs := make([]string, 0, len(names))
	for _, name := range names {
		if !filepath.IsLocal(name) {
			continue
		}
		if size += specBytes(name); size > argumentBytes {
			return nil
		}
		specs = append(specs, magic+name)
	}
	return specs
}

// pathspecsOf limit several commands to the names of changes, together to all,
// both names of a rename in the same one.
func pathspecsOf(list []Change) [][]string {
	var pieces [][]string
	size := argumentBytes
	for _, c := range list {
		specs := pathspecs(c.Names())
		if len(specs) == 0 {
			continue
		}
		more := 0
		for _, name := range c.Names() {
			more += specBytes(name)
		}
		if size += more; size > argumentBytes {
			pieces, size = append(pieces, nil), more
		}
		at := len(pieces) - 1
		pieces[at] = append(pieces[at], specs...)
	}
	return pieces
}
