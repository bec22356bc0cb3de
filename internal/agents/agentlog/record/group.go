package record

import "time"

// Header identifies the session of a file. A first look at a file reads only this.
type Header struct {
	File string
	Stem string // file name without extension, or the name of one of many sessions
	// Grouping determines which files form one session with this one.
	Grouping Grouping
	// Subagent is true if the file holds the part of a subagent in its session, so that it is
	// not named after the session.
	Subagent bool
	// Separates is true if the reader finds further sessions in a file.
	Separates bool
	// IDs are the sessions that a file of a state directory names.
	IDs map[string]bool
	// Alone is true for a journal of one session, next to which are those of others.
	Alone bool
	// Ancestors are the sessions from which a fork copied rows.
	Ancestors []string
	// Begin is the first time of any row.
	Begin time.Time
}

// Grouping determines which files form one session.
type Grouping int

// The groupings of files.
const (
	ByID            Grouping = iota // those that state the same id
	ByIDOrDirectory                 // and logs of the state directory that names the id, or names no id at all
	ByDirectory                     // those of a state directory
	ByFile                          // each file alone
	ByName                          // those with the same name of a session, their Stem
)
