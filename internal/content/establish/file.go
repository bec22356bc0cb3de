package establish

import (
	"strconv"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// File is a file at head that a pattern of a rule matches.
type File struct {
	Path     string           `json:"path"`
	Pattern  string           `json:"pattern"` // as the rule has it
	Captures pattern.Captures `json:"captures"`
	Content  Content          `json:"content"`
	Format   string           `json:"format,omitempty"`  // of the keys: JSON, YAML, TOML, go.mod
	Problem  string           `json:"problem,omitempty"` // why the content of an unchanged file is not known
	Values   []Value          `json:"values,omitzero"`   // of the keys that the pattern matches, if it is of keys
}

// Value is the value of a key, with the captures of its path and its pointer.
type Value struct {
	keys.Value

	Captures pattern.Captures `json:"captures"`
}

// Content is a text in which no policy looks for paths.
type Content string

// Limits of the files that one rule names.
const (
	maxFiles = 10_000
	maxBytes = 64 << 20
)

// Error reports that the files of a rule are not known.
type Error struct {
	Param string // of the rule; empty: of its condition
	Path  string // visible; empty: of no single file
	Why   string
	Next  string // what to do about it

	noticed bool // of a file that did not change, it is a notice
}

// fewer is the advice for too many files.
const fewer = "want patterns that match fewer"

// Error names the parameter and the file.
func (e *Error) Error() string {
	text := e.Why + "; " + e.Next
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	if e.Param != "" {
		text = strconv.Quote(e.Param) + ": " + text
	}
	return text
}
