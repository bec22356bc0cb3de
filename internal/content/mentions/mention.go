// Package mentions finds where files still name a path that a change removed: a file that it
// deleted or renamed, or a directory that has no file left.
//
// A [Reader] reads each file at most once and looks up its words in the set of removed names, so
// that the number of names does not matter. Files without the last element of any of them are
// not read where git finds them faster. What counts as a mention depends on the kind of the
// file; see the tables in kind.go and never.go.
package mentions

// Mention is a place in a file at head that names a path that head does not have.
type Mention struct {
	Path string `json:"path"` // the file that names it
	Line int    `json:"line"` // from 1
	Name string `json:"name"` // what it names; of a directory with a slash at the end
	// RenamedTo is its new name; empty: it was deleted, or its files went to several places.
	RenamedTo string `json:"renamed_to,omitempty"`
	// Directory is the highest directory at or above it that is gone, with a slash at the end;
	// empty: the directory of the file is still there.
	Directory string `json:"directory,omitempty"`
	Removed   string `json:"removed"` // the file that the change removed; the first of a directory
	New       bool   `json:"new"`     // the change adds or edits the line
	Ignored   bool   `json:"ignored"` // head's ignore files match the name
}
