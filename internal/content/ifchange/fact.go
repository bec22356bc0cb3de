// Package ifchange establishes facts about the directives LINT.IfChange and LINT.ThenChange
// in comments: which blocks changed, and whether the files and blocks that they name did.
package ifchange

// File holds the directives of one file at head.
type File struct {
	Path     string      `json:"path"`
	Changed  bool        `json:"changed"` // the change touches it; of others only broken references are listed
	Blocks   []BlockFact `json:"blocks"`
	Problems []Problem   `json:"problems"`
	Foreign  []Foreign   `json:"-"` // no mistakes
}

// BlockFact is a block between IfChange and ThenChange.
type BlockFact struct {
	Line    int          `json:"line"`    // of IfChange, from 1
	Label   string       `json:"label"`   // may be empty
	Changed bool         `json:"changed"` // lines strictly between the directives; false for a new block
	Targets []TargetFact `json:"targets"`
}

// TargetFact is an entry of ThenChange.
type TargetFact struct {
	Name    string `json:"name"`    // path or path:label, for messages
	Path    string `json:"path"`    // relative to the root; of a directory with a slash at the end
	Line    int    `json:"line"`    // of the entry
	Label   string `json:"label"`   // empty: the file
	Exists  bool   `json:"exists"`  // the path is at head
	Found   bool   `json:"found"`   // it has a block with the label, or the target has none
	Changed bool   `json:"changed"` // the block did, or the file
	At      int    `json:"at"`      // the line of the block; 1 for a file
}
