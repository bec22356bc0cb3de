package bash

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// reader collects what a line does. Links, contents of files and git's
// configuration are not undone where the line's ways part: once made, they count.
type reader struct {
	World
	out    fact.ShellLine
	steps  int
	parsed int
	depth  int
	fds    int
	failed bool // a bound was reached

	links   map[string]string            // from path to target, both absolute
	files   map[string]*input            // written in the line, by absolute path
	made    map[string]bool              // directories
	moved   map[string]string            // from where to where things outside the repository were moved, by the new path
	config  map[string]string            // git's, that the line sets
	outputs map[*syntax.CmdSubst]*input  // of command substitutions
	proc    map[*syntax.ProcSubst]string // paths of process substitutions
	seen    map[string]bool              // what is in out already
	within  map[string]bool              // programs of git that are being read
	filled  []string                     // directories into which files come whose content is not in the line
	given   []given                      // by the expansions that are being read, as ${x:=y}
}

func newReader(w World) *reader {
	return &reader{
		World: w,
		out:   fact.ShellLine{Commands: []fact.ShellCommand{}, Writes: []fact.ShellWrite{}, Opaque: []fact.OpaquePart{}},
		links: map[string]string{}, files: map[string]*input{}, made: map[string]bool{}, moved: map[string]string{}, config: map[string]string{},
		outputs: map[*syntax.CmdSubst]*input{}, proc: map[*syntax.ProcSubst]string{}, seen: map[string]bool{}, within: map[string]bool{},
	}
}

// spend counts a step and reports whether there are more.
func (r *reader) spend() bool {
	r.steps++
	if r.steps > maxSteps || r.failed {
		if !r.failed {
			r.failed = true
			r.opaque(fact.OpaqueCommand, "the line does too much to be read", "")
		}
		return false
	}
	return true
}

// deeper reports whether texts in texts may go one level down; the caller then
// calls up.
func (r *reader) deeper() bool {
	if r.depth >= maxDepth {
		r.opaque(fact.OpaqueCommand, "the line is nested too deeply to be read", "")
		return false
	}
	r.depth++
	return true
}

func (r *reader) up() { r.depth-- }

// opaque adds an opaque part.
func (r *reader) opaque(kind, reason, text string) {
	text = show(text)
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	if key := "opaque\x00" + kind + reason + text; !r.seen[key] && len(r.out.Opaque) < 1000 {
		r.seen[key] = true
		r.out.Opaque = append(r.out.Opaque, fact.OpaquePart{Reason: reason, Text: text, Kind: kind})
	}
}

// input is the text that a command reads, or a file's content.
type input struct {
	text  string
	known bool
	found []string // what find prints, as patterns; the text is not known then
}

// capture collects the text that commands print.
type capture struct {
	text    strings.Builder
	unknown bool
	mixed   bool // something unknown was printed, next to what is found
	found   []string
}

func (c *capture) input() *input {
	in := &input{text: c.text.String(), known: !c.unknown}
	if !c.mixed {
		in.found = c.found
	}
	return in
}

// state is the shell's state on one way through a line. It is never changed, but
// copied; out alone is shared.
type state struct {
	vars    map[string]expand.Variable
	funcs   map[string]*syntax.Stmt
	aliases map[string]string
	args    []string          // the positional parameters
	name    string            // $0
	dir     string            // absolute, with marks
	old     string            // the directory before
	stack   []string          // of pushd
	guess   bool              // in a way that is taken only if something fails
	allvars bool              // set -a
	folds   map[string]string // what declare -l and the like make of the values of a variable
	fds     map[string]string // the paths of open descriptors
	globs   globbing
	in      *input   // nil: nothing to read
	out     *capture // nil: it is not read
	via     []string
	runner  string // the words of a program that runs commands in an environment, as uv run
	traps   []string
}

func (r *reader) start() *state {
	return &state{
		vars: map[string]expand.Variable{}, funcs: map[string]*syntax.Stmt{}, aliases: map[string]string{},
		name: "bash", dir: path.Clean(r.Dir),
	}
}

// with returns a copy that change changed.
func (st *state) with(change func(*state)) *state {
	c := *st
	change(&c)
	return &c
}

// set returns a state with a variable.
func (st *state) set(name string, v expand.Variable) *state {
	old, ok := st.vars[name]
	v.Exported = v.Exported || st.allvars || ok && old.Exported
	if how := st.folds[name]; how != "" {
		v = fold(v, how)
	}
	return st.with(func(c *state) {
		c.vars = maps.Clone(c.vars)
		c.vars[name] = v
	})
}

// fold changes a value as the attributes of its variable do.
func fold(v expand.Variable, how string) expand.Variable {
	change := func(s string) string {
		switch {
		case hasMark(s):
			return s
		case how == "l":
			return strings.ToLower(s)
		case how == "u":
			return strings.ToUpper(s)
		default:
			return string(unknownWord)
		}
	}
	v.Str, v.List = change(v.Str), slices.Clone(v.List)
	for i, s := range v.List {
		v.List[i] = change(s)
	}
	return v
}

// folding returns a state in which declare gives a variable attributes: the letters of its options.
func (st *state) folding(name, letters string) *state {
	how := ""
	for _, c := range letters {
		if strings.ContainsRune("luci", c) {
			how = string(c)
		}
	}
	if how == "" {
		return st
	}
	return st.with(func(c *state) {
		c.folds = cloneTexts(c.folds)
		if c.folds == nil {
			c.folds = map[string]string{}
		}
		c.folds[name] = how
	})
}

// assign returns a state with a text as a variable.
func (st *state) assign(name, value string) *state {
	return st.set(name, text(value))
}

func text(value string) expand.Variable {
	if len(value) > maxValue {
		value = string(unknownWord)
	}
	return expand.Variable{Set: true, Kind: expand.String, Str: join(value)}
}

// given is a value that an expansion gives a variable.
type given struct {
	name  string
	value expand.Variable
}

// take returns a state with the values that expansions gave since the last call.
func (r *reader) take(st *state) *state {
	for _, g := range r.given {
		st = st.set(g.name, g.value)
	}
	r.given = nil
	return st
}

// unset returns a state in which a variable has no value.
func (st *state) unset(name string) *state {
	return st.set(name, expand.Variable{})
}

// exported returns the variables that the line passes to programs.
func (st *state) exported() map[string]string {
	env := map[string]string{}
	for name, v := range st.vars {
		if v.Exported && v.Set && v.Kind == expand.String {
			env[name] = v.Str
		}
	}
	return env
}

// through returns a state in which a program runs what follows.
func (st *state) through(name string) *state {
	return st.with(func(c *state) { c.via = append(slices.Clone(c.via), name) })
}

// emit prints a text.
func (st *state) emit(text string) {
	if st.out == nil {
		return
	}
	if st.out.text.Len()+len(text) > maxValue*4 {
		st.out.unknown = true
		return
	}
	st.out.text.WriteString(text)
}

// murmur prints something unknown.
func (st *state) murmur() {
	if st.out != nil {
		st.out.unknown, st.out.mixed = true, true
	}
}

// distinct leaves out the states that are there already, and bounds their number.
func (r *reader) distinct(states []*state) []*state {
	var list []*state
	for _, st := range states {
		if !slices.Contains(list, st) {
			list = append(list, st)
		}
	}
	if len(list) > maxStates {
		r.opaque(fact.OpaqueCommand, "the line has too many ways to be followed", "")
		list = list[:maxStates]
	}
	return slices.Clip(list)
}
