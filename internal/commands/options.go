package commands

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/sandbox"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// Options controls how commands run.
type Options struct {
	Tree Tree
	// Temps are directories for scratch copies, which are removed at the end: the first is
	// used that only the user can change and that is outside of the working tree. They are
	// created if they are missing.
	Temps []string
	// Fast is such a directory in memory for small copies, tried first; empty: there is none.
	Fast string
	// Cache is a directory for the caches of tools, kept between runs. It is created
	// if it is missing.
	Cache   string
	Environ []string // of the process, as KEY=value; commands see a part of it
	Pass    []string // names of additional variables that every command sees
	Write   []string // additional paths that commands may write to: absolute, ~/…, or in the working tree
	Sandbox string   // rule.SandboxBestEffort, SandboxRequired, SandboxOff; empty: best effort
	Jobs    int      // number of parallel units; 0: one per processor
	Now     func() time.Time
	// OnProgress is called when a unit starts and when it ends, never concurrently.
	// It may be nil.
	OnProgress func(Progress)
}

// Tree is the content of head for commands: the files of jobs and all others.
type Tree struct {
	Root   string    // absolute root of the working tree; empty: there is none
	Files  []File    // of the jobs
	Differ []Sibling // other tracked files that differ between the working tree and head
	// All returns every file of head and every untracked file that is not ignored.
	// It is called if there is no sandbox that prevents writing through links.
	All func(context.Context) ([]string, error)
}

// Sibling is a file of head that is not one of a job.
type Sibling struct {
	File
	Absent bool // only the working tree has it
	Link   bool // a symlink; Content is its target
}

// Progress reports the start or end of a unit, one run of a program.
type Progress struct {
	Unit, Units int // index among the outcomes, and their number
	Rule        string
	Argv        []string
	Proof       bool // the second run
	Done        bool
}

// Total joins the outcomes of all jobs.
type Total struct {
	Outcomes []Outcome // in the order of jobs, then of their files
	// Edits are the changed files in byte order. A file is left out if any of its
	// changes is from a command that failed, is not idempotent or has fix: false.
	Edits   []staging.Edit
	Notices []string // about a missing sandbox, and files and processes that were removed
	Sandbox sandbox.Level
}
