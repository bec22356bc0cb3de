package commands

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/staging"
)

// Options say where and with what commands run.
type Options struct {
	Tree Tree
	// Temp is an existing directory outside the working tree, in which the scratch
	// copies are made and taken away again. What lies above it is found by tools
	// that search upwards, so nobody else should be able to write there.
	Temp string
	// Fast is another such directory, in memory, for copies that are small; empty:
	// there is none.
	Fast string
	// Cache is a directory of our own in which the tools' caches live from one run
	// to the next. It is made where it is missing.
	Cache   string
	Environ []string // the process's, as KEY=value; commands see a part of it
	Pass    []string // names of further variables that every command sees
	Write   []string // further paths commands may write to: absolute, ~/…, or in the working tree
	Sandbox string   // rule.SandboxBestEffort, SandboxRequired, SandboxOff; empty: best effort
	Jobs    int      // units at a time; 0: one per processor
	Now     func() time.Time
	// Progress hears of every unit when it starts and when it ends, one call at a
	// time; nil: nobody looks.
	Progress func(Event)
}

// Tree is head as commands are to find it: the files that jobs name, and what
// lies beside them.
type Tree struct {
	Root   string    // absolute top of the working tree; empty where there is none
	Files  []File    // those that the jobs name
	Differ []Sibling // other tracked files that the working tree has otherwise than head
	// All lists every file of head and every untracked file that is not ignored.
	// It is asked where nothing keeps a command from writing through a link.
	All func(context.Context) ([]string, error)
}

// Sibling is a file of head beside those that are named.
type Sibling struct {
	File
	Absent bool // the working tree has it and head does not
	Link   bool // a symlink; its content is where it points to
}

// Event says that a unit, one run of a program, starts or has ended.
type Event struct {
	Unit, Units int // which of how many; the outcome's place among the outcomes
	Rule        string
	Argv        []string
	Proof       bool // the second run
	Done        bool
}

// Result is what came of the jobs.
type Result struct {
	Outcomes []Outcome // in the order of the jobs, then of their files
	// Edits are the files that changed and whose every change may be kept, in byte
	// order: commands that failed, that a second run contradicts or that are not to
	// fix anything keep none.
	Edits   []staging.Edit
	Notices []string // of what could not be guarded, and of what was left behind
}
