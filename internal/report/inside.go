package report

// Inside describes what a change means to readers of its code. Its lists are in the order of
// paths and names.
type Inside struct {
	Files   []InsideFile
	Left    int      // files that were not read, because there are many
	Unread  int      // files that could not be read
	Held    []string // ids of the rules that files triggered, without a finding
	Resting []string // ids of the rules that their files disable
}

// InsideFile is what changed inside a file.
type InsideFile struct {
	Path string
	API  []InsidePart // exported symbols
	Keys []InsidePart // the innermost ones
}

// InsidePart is a part of a file that changed.
type InsidePart struct {
	Name   string
	Status string // by the words of changes
	Before string // the signature of a symbol
	After  string
}
