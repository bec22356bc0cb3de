package diff

import (
	"strings"
	"time"
)

// Unit is one step of history: a commit, or a merge with everything that it brought.
type Unit struct {
	Commit  string
	Parent  string   // first parent; empty for a root commit
	Merged  []string // the other parents of a merge
	Time    time.Time
	Author  string // "Name <address>"
	Message string // whole, in UTF-8 as far as git knows the encoding

	// Changes are those since the first parent, or since the empty tree for a root commit,
	// in byte order of path, with the renames that a check finds.
	Changes []Change

	// Cut is true for a commit whose parents a shallow clone lacks. It has no changes: git
	// would list all of its files as added.
	Cut bool
}

// Base returns the commit or, for a root commit, the empty tree that the changes start from.
func (u Unit) Base() string {
	if u.Parent == "" {
		return EmptyTreeFor(u.Commit)
	}
	return u.Parent
}

// Subject returns the first line of the message.
func (u Unit) Subject() string {
	line, _, _ := strings.Cut(strings.TrimLeft(u.Message, "\n"), "\n")
	return line
}
