// Package bash reads shell lines: which commands a line runs and which files it
// writes, as far as its text shows. It never runs anything. Text that cannot be
// reached counts as reached, and what cannot be read is reported as opaque.
package bash

import (
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// World describes the place in which a line runs.
type World struct {
	Root string // of the repository: an absolute path with slashes
	Dir  string // the working directory, absolute or relative to Root; empty: Root
	Home string // the user's home directory, absolute; empty: unknown
	// Link resolves the symbolic links of an existing path; nil: the line's own links only.
	Link func(path string) string
}

// Line describes what a shell line does. Its JSON form is part of the fact `command`.
type Line struct {
	Text     string    `json:"line"`
	Parsed   bool      `json:"parsed"`   // whether the shell's grammar accepts the whole line
	Commands []Command `json:"commands"` // simple commands, in the order of reading
	Writes   []Write   `json:"writes"`
	Opaque   []Opaque  `json:"opaque"`

	root string
}

// Command is one simple command. Unknown parts of words are shown as "…".
type Command struct {
	Name       string            `json:"name"`       // of the program, without a directory
	Subcommand string            `json:"subcommand"` // of programs that have them, such as git
	Argv       []string          `json:"argv"`
	Options    []string          `json:"options"`  // of known programs, by their long names: --force, --message=x
	Operands   []string          `json:"operands"` // of known programs
	Text       string            `json:"text"`     // as written, without quotes that are not needed
	Normal     string            `json:"normal"`   // options by long names first, then "--" and the operands
	Dir        string            `json:"dir"`      // where it runs
	Env        map[string]string `json:"env"`      // that the line sets for it
	Config     map[string]string `json:"config"`   // of git, that the line sets for it
	Via        []string          `json:"via"`      // what runs it: sudo, bash, xargs, …

	texts []string // with marks
}

// Write is a file, or several, that a line creates, changes, removes or moves.
type Write struct {
	Path      string `json:"path"`      // relative to the root of the repository, or absolute; with wildcards or "…"
	Place     string `json:"place"`     // one of the Place constants
	By        string `json:"by"`        // the program, or "redirection"
	Deletes   bool   `json:"deletes"`   // removed or moved away
	Recursive bool   `json:"recursive"` // with everything below it

	path  string // absolute, with marks
	whole bool   // everything below is written too
}

// The places of a written file.
const (
	PlaceInside  = "inside"  // below the root of the repository
	PlaceRoot    = "root"    // the root itself, or a directory above it
	PlaceGit     = "git"     // the git directory, or below it
	PlaceOutside = "outside" // anywhere else
	PlaceUnknown = "unknown" // not in the line
)

// Opaque is a part of a line that cannot be read.
type Opaque struct {
	Reason string `json:"reason"`
	Text   string `json:"text"` // the part, cut
	// Kind names the possible effect: OpaqueCommand or OpaquePath.
	Kind string `json:"kind"`
}

// The kinds of opaque parts.
const (
	OpaqueCommand = "command" // runs something unknown, which may do anything
	OpaquePath    = "path"    // writes a file whose name is unknown
)

// Bounds keep the reading of any line short.
const (
	maxLine   = 256 << 10 // bytes of a line; a longer one is opaque
	maxSteps  = 20_000    // commands, loops counted as often as they are read
	maxDepth  = 24        // texts in texts, and functions
	maxParsed = 2 << 20   // bytes of all texts together
	maxValue  = 16 << 10  // bytes of one value
	maxWords  = 2_000     // of one command
	maxStates = 24        // ways through the line that are followed at once
	maxTurns  = 32        // of one loop
)

// Read reads a line as bash would run it in a world.
func Read(line string, w World) Line {
	w = w.complete()
	r := newReader(w)
	r.out.Text, r.out.root = line, w.Root
	r.guarded(line)
	return r.out
}

// complete returns the world with an absolute working directory.
func (w World) complete() World {
	w.Root = path.Clean(w.Root)
	switch {
	case w.Dir == "":
		w.Dir = w.Root
	case !strings.HasPrefix(w.Dir, "/"):
		w.Dir = path.Join(w.Root, w.Dir)
	}
	return w
}

// guarded reads a line. A panic, which is a mistake of the reader or of the library
// that expands words, makes the line opaque.
func (r *reader) guarded(line string) {
	defer func() {
		if p := recover(); p != nil {
			r.out.Parsed = false
			r.opaque(OpaqueCommand, fmt.Sprintf("the line could not be read: %v", p), line)
		}
	}()
	r.read(line)
}

// read reads the whole line. Where it does not parse, what comes before the mistake
// is read.
func (r *reader) read(line string) {
	switch {
	case len(line) > maxLine:
		r.opaque(OpaqueCommand, "the line is too long to be read", line)
		return
	case hasMark(line):
		r.opaque(OpaqueCommand, "the line holds characters of a private use", line)
		return
	}
	r.out.Parsed = true
	st := r.start()
	states := []*state{st}
	err := parse(line, func(s *syntax.Stmt) { states = r.stmts(states, []*syntax.Stmt{s}) })
	if err != nil {
		r.out.Parsed = false
		r.opaque(OpaqueCommand, "the line cannot be parsed: "+err.Error(), line)
	}
	for _, st := range states {
		for _, text := range st.traps {
			r.script(st, text, "trap")
		}
	}
}

// parse calls do for every statement of a text before the first mistake. Leaving the
// loop early would be an error of the iterator, which goes on after a mistake.
func parse(text string, do func(*syntax.Stmt)) error {
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var first error
	for s, err := range p.StmtsSeq(strings.NewReader(text)) {
		switch {
		case first != nil:
		case err != nil:
			first = err
		case s != nil:
			do(s)
		}
	}
	return first
}
