package diff

// Detail holds facts about a change beyond its path and status. A field is filled in only
// if the Part with its JSON name was requested.
type Detail struct {
	AddedLines   []Line   `json:"added_lines,omitzero"`   // numbered as at head
	RemovedLines []Line   `json:"removed_lines,omitzero"` // numbered as at base
	AddedCount   *int     `json:"added_count,omitzero"`   // of AddedLines
	Binary       *bool    `json:"binary,omitzero"`        // before or after the change
	LFS          *bool    `json:"lfs,omitzero"`           // at head
	Size         *int64   `json:"size,omitzero"`          // bytes at head; nil if there is no file
	Content      *Content `json:"content,omitzero"`
}

// Line is one line of a file, without its line end.
type Line struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // bytes
}

// Content holds the text of a file on both sides; nil if there is no file, if it is binary
// or longer than ContentLimit. The content of a symlink is its target; a submodule has none.
type Content struct {
	Head *string `json:"head,omitzero"`
	Base *string `json:"base,omitzero"`
}

// ContentLimit is the maximum length in bytes of the content in a Detail.
const ContentLimit = 1 << 20

// Part names a field of a Detail by its JSON name.
type Part string

// The parts of a Detail.
const (
	PartAddedLines   Part = "added_lines"
	PartRemovedLines Part = "removed_lines"
	PartAddedCount   Part = "added_count"
	PartBinary       Part = "binary"
	PartLFS          Part = "lfs"
	PartSize         Part = "size"
	PartContent      Part = "content"
)
