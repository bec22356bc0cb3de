// Package bash reads shell lines: which commands a line runs and which files it
// writes, as far as its text shows. It never runs anything. Text that cannot be
// reached counts as reached, and what cannot be read is reported as opaque.
package bash

import (
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// World describes the place in which a line runs.
type World struct {
	Root string // of the repository: an absolute path with slashes
	Dir  string // the working directory, absolute or relative to Root; empty: Root
	Home string // the user's home directory, absolute; empty: unknown
	// Link resolves the symbolic links of an existing path; nil: the line's own links only.
	Link func(path string) string
	// Shared reports whether an existing file has several names; nil: none has.
	Shared func(path string) bool
}

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
func Read(line string, w World) fact.ShellLine {
	w = w.complete()
	r := newReader(w)
	r.out.Text, r.out.Root = line, w.Root
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
			r.opaque(fact.OpaqueCommand, fmt.Sprintf("the line could not be read: %v", p), line)
		}
	}()
	r.read(line)
}

// read reads the whole line. Where it does not parse, what comes before the mistake
// is read.
func (r *reader) read(line string) {
	switch {
	case len(line) > maxLine:
		r.opaque(fact.OpaqueCommand, "the line is too long to be read", line)
		return
	case hasMark(line):
		r.opaque(fact.OpaqueCommand, "the line holds characters of a private use", line)
		return
	}
	r.out.Parsed = true
	st := r.start()
	states := []*state{st}
	err := parse(line, func(s *syntax.Stmt) { states = r.stmts(states, []*syntax.Stmt{s}) })
	if err != nil {
		r.out.Parsed = false
		r.opaque(fact.OpaqueCommand, "the line cannot be parsed: "+err.Error(), line)
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
