package report

// Inside describes what a change means to readers of its code. Its lists are in the order of
// paths and names.
type Inside struct {
	Files   []InsideFile `json:"files,omitempty"`
	Left    int          `json:"left,omitempty"`    // files that were not read, because there are many
	Unread  int          `json:"unread,omitempty"`  // files that could not be read
	Held    []string     `json:"held,omitempty"`    // ids of the rules that files triggered, without a finding
	Resting []string     `json:"resting,omitempty"` // ids of the rules that their files disable
}

// InsideFile lists what changed inside a file.
type InsideFile struct {
	Path string       `json:"path"`
	API  []InsidePart `json:"api,omitempty"`  // exported symbols
	Keys []InsidePart `json:"keys,omitempty"` // the innermost ones
}

// InsidePart is a part of a file that changed.
type InsidePart struct {
	Name   string `json:"name"`
	Status string `json:"status"`           // by the words of changes
	Before string `json:"before,omitempty"` // the signature of a symbol
	After  string `json:"after,omitempty"`
}
