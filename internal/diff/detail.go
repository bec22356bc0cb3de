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

	// Raw are the lines of the bytes of a file that was decoded, for lines that another program
	// would see in them. It comes with the added and the removed lines.
	Raw Edit `json:"-"`
	// Unread is why the lines or the content are not known; empty: they are. It comes with them.
	Unread Unread `json:"-"`
	// BinaryBefore reports that the file was binary or a pointer of Git LFS at the base. It comes
	// with Binary.
	BinaryBefore bool `json:"-"`
	// Expected reports that the unread file is no surprise: its format has no lines, or it was
	// unread at the base as well.
	Expected bool `json:"-"`
}

// Unread is why a file was not read as lines of text; empty: it was.
type Unread string

// The reasons.
const (
	UnreadFormat Unread = "binary_format" // that its name and its beginning have
	UnreadLFS    Unread = "git_lfs"
	UnreadLength Unread = "too_long"
)

// Words completes "the file is".
func (u Unread) Words() string {
	return map[Unread]string{UnreadFormat: "in a binary format", UnreadLFS: "in Git LFS", UnreadLength: "too long"}[u]
}

// Line is one line of a file, without its line end.
type Line struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // bytes
}

// Content holds the text of a file on both sides, decoded if it is UTF-16; nil if there is no
// file, or if it is in a binary format, longer than ContentLimit, a symlink or a submodule.
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
