// Package part describes what changed inside files: keys, symbols and sections, each with a name,
// a status and a place.
package part

import (
	"fmt"
	"strings"
)

// Change is a part of a file that a change altered, added or removed.
type Change struct {
	// Name is as patterns write it after "#": of a key its pointer (RFC 6901), such as
	// "/dependencies/left-pad"; "symbol:Reader.Close"; of a section its id, "heading:usage".
	Name   string `json:"name"`
	Status string `json:"status"` // added, modified or deleted
	Place         // at head; of a deleted part, where it was, or that of the nearest one around it

	Also string `json:"-"` // another name, as of a section its text
	Path string `json:"-"` // the names of the parts around it and its own, with "/" between them; empty: Name
}

// Within reports whether a part is inside another one of its file.
func (c *Change) Within(outer *Change) bool { return strings.HasPrefix(c.path(), outer.path()+"/") }

func (c *Change) path() string {
	if c.Path == "" {
		return c.Name
	}
	return c.Path
}

// The statuses of a part, by the words of changes.
const (
	Added    = "added"
	Modified = "modified"
	Deleted  = "deleted"
)

// Statuses lists all statuses of parts.
func Statuses() []string { return []string{Added, Modified, Deleted} }

// Place is a place in a file; both numbers count from 1.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"` // in characters
}

// Error is a problem with a file.
type Error struct {
	Place

	Message string
}

// Error returns the place and the message.
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }
