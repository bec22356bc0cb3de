package bash

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// step reads one command and returns the states after it.
type step func(r *reader, st *state, argv []string) []*state

// builtin returns the reader of a command that changes the shell's own state, or
// that runs others within it; nil for any other.
func builtin(name string) step {
	switch name {
	case "cd", "chdir", "pushd":
		return cd
	case "popd":
		return popd
	case "eval":
		return func(r *reader, st *state, argv []string) []*state {
			return r.script(st, strings.Join(argv[1:], " "), "eval")
		}
	case "source", ".":
		return source
	case "builtin":
		return within("")
	case "command":
		return within("vV")
	case "exec":
		return within("")
	case "set":
		return set
	case "shift":
		return shift
	case "unset":
		return unset
	case "trap":
		return trap
	case "read":
		return read
	case "readarray", "mapfile":
		return mapfile
	case "alias":
		return alias
	case "unalias":
		return unalias
	case "export", "declare", "typeset", "local", "readonly":
		return declares
	case "let", "getopts":
		return unread
	case "printf":
		return printf
	case "enable":
		return enable
	case "shopt":
		return shopt
	case "hash":
		return hash
	}
	return nil
}

func unalias(_ *reader, st *state, argv []string) []*state {
	return []*state{st.with(func(c *state) {
		c.aliases = cloneTexts(c.aliases)
		for _, a := range argv[1:] {
			delete(c.aliases, a)
		}
	})}
}

func cloneVars(m map[string]expand.Variable) map[string]expand.Variable { return maps.Clone(m) }

func cloneTexts(m map[string]string) map[string]string { return maps.Clone(m) }

// note adds a builtin to the commands.
func (r *reader) note(st *state, argv []string) {
	r.record(st, command{argv: argv, words: argv})
}

// cd reads cd and pushd.
func cd(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	args := argv[1:]
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		args = args[1:]
	}
	push := argv[0] == "pushd"
	var dir string
	switch {
	case len(args) == 0 && push:
		return popd(r, st, argv)
	case len(args) == 0:
		home, ok := r.variable(st, "HOME")
		dir = home.Str
		if !ok {
			dir = string(unknownWord)
		}
	case args[0] == "-":
		dir = cmpOr(st.old, string(unknownWord))
	case args[0] == "":
		return []*state{st}
	default:
		dir = args[0]
	}
	var states []*state
	for _, to := range r.cdTargets(st, dir) {
		states = append(states, st.with(func(c *state) {
			if push {
				c.stack = append(slices.Clone(c.stack), c.dir)
			}
			c.old, c.dir = c.dir, to
		}))
	}
	return states
}

// cdTargets returns the directories that cd may lead to: CDPATH is searched first.
func (r *reader) cdTargets(st *state, dir string) []string {
	if isUnknown(dir) {
		return []string{r.abs(st, join(dir))}
	}
	list := []string{r.abs(st, dir)}
	relative := !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "./") && !strings.HasPrefix(dir, "../") && dir != "." && dir != ".."
	if v, ok := st.vars["CDPATH"]; ok && relative {
		for p := range strings.SplitSeq(v.Str, ":") {
			list = append(list, r.abs(st, cmpOr(p, ".")+"/"+dir))
		}
	}
	return slices.Compact(list)
}

func popd(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	return []*state{st.with(func(c *state) {
		to := cmpOr(c.old, c.dir)
		if n := len(c.stack); n > 0 {
			to = c.stack[n-1]
			c.stack = c.stack[:n-1]
		}
		c.old, c.dir = c.dir, to
	})}
}

func source(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	if len(argv) < 2 {
		return []*state{st}
	}
	in := r.content(st, argv[1])
	if !in.known && !strings.HasPrefix(argv[1], "/dev/") && !isUnknown(argv[1]) && r.files[r.abs(st, argv[1])] == nil && !r.isFilled(r.abs(st, argv[1])) {
		return r.repositoryScript(st)
	}
	args := st.args
	if len(argv) > 2 {
		args = argv[2:]
	}
	return r.source(st, in, argv[1], args)
}

// repositoryScript allows a script by its name, if it is not from outside: what the
// repository's own scripts do is not the line's matter. What they leave behind in
// the shell is not followed.
func (r *reader) repositoryScript(st *state) []*state {
	return []*state{st}
}

// within reads builtin, command and exec, which run the rest. Options before it may
// only print.
func within(prints string) step {
	return func(r *reader, st *state, argv []string) []*state {
		rest := argv[1:]
		quiet := false
		for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
			word := rest[0]
			rest = rest[1:]
			if word == "--" {
				break
			}
			if prints != "" && strings.ContainsAny(word, prints) {
				quiet = true
			}
			if argv[0] == "exec" && strings.HasSuffix(word, "a") && len(rest) > 0 {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return []*state{st}
		}
		if quiet {
			r.note(st, argv)
			if !hasMark(rest[0]) {
				st.emit("/usr/bin/" + base(rest[0]) + "\n")
			} else {
				st.murmur()
			}
			return []*state{st}
		}
		inner := st.with(func(c *state) { c.funcs, c.aliases = nil, nil })
		if argv[0] == "exec" {
			inner = st
		}
		states := r.run(inner, rest)
		for i, after := range states {
			switch {
			case after == inner:
				states[i] = st
			case inner != st:
				states[i] = after.with(func(c *state) { c.funcs, c.aliases = st.funcs, st.aliases })
			}
		}
		return states
	}
}

func set(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	args := argv[1:]
	for i, a := range args {
		switch {
		case a == "--":
			return []*state{st.with(func(c *state) { c.args = slices.Clone(args[i+1:]) })}
		case a == "-o" && i+1 < len(args) && args[i+1] == "allexport",
			strings.HasPrefix(a, "-") && strings.Contains(a, "a") && !strings.HasPrefix(a, "--"):
			st = st.with(func(c *state) { c.allvars = true })
		case !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") && (i == 0 || !strings.HasSuffix(args[i-1], "o")):
			return []*state{st.with(func(c *state) { c.args = slices.Clone(args[i:]) })}
		}
	}
	return []*state{st}
}

func shift(_ *reader, st *state, argv []string) []*state {
	n := 1
	if len(argv) > 1 {
		n, _ = strconv.Atoi(argv[1])
	}
	return []*state{st.with(func(c *state) { c.args = c.args[min(max(n, 0), len(c.args)):] })}
}

func unset(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	for _, name := range argv[1:] {
		if strings.HasPrefix(name, "-") {
			continue
		}
		if st.funcs[name] != nil {
			st = st.with(func(c *state) {
				c.funcs = cloneFuncs(c.funcs)
				delete(c.funcs, name)
			})
		}
		if !slices.Contains(argv, "-f") {
			st = st.unset(name)
		}
	}
	return []*state{st}
}

// trap remembers the text, and reads it: it may run at any time.
func trap(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	args := argv[1:]
	for len(args) > 0 && (args[0] == "--" || args[0] == "-p" || args[0] == "-l") {
		args = args[1:]
	}
	if len(args) < 2 || args[0] == "-" || args[0] == "" {
		return []*state{st}
	}
	r.script(st, args[0], "trap")
	return []*state{st.with(func(c *state) { c.traps = append(slices.Clone(c.traps), args[0]) })}
}

// read gives variables the first line of the input.
func read(r *reader, st *state, argv []string) []*state {
	var names []string
	args := argv[1:]
	list := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "-") && strings.Contains(a, "a"):
			list = true
		case strings.HasPrefix(a, "-") && strings.ContainsAny(a[len(a)-1:], "dinNptu"):
			i++
		case strings.HasPrefix(a, "-"):
		default:
			names = append(names, a)
		}
	}
	if list && len(names) == 0 {
		names = args[len(args)-1:]
	}
	line := string(unknownWord)
	if st.in != nil && st.in.known {
		line, _, _ = strings.Cut(st.in.text, "\n")
	} else if st.in == nil {
		line = ""
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	ifs, _ := r.variable(st, "IFS")
	words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(ifs.Str, c) })
	if list {
		return []*state{st.set(names[len(names)-1], expand.Variable{Set: true, Kind: expand.Indexed, List: words})}
	}
	for i, name := range names {
		value := ""
		switch {
		case isUnknown(line):
			value = line
		case i == len(names)-1 && i < len(words):
			value = strings.Join(words[i:], " ")
		case i < len(words):
			value = words[i]
		}
		st = st.assign(name, value)
	}
	return []*state{st}
}

func mapfile(_ *reader, st *state, argv []string) []*state {
	name := "MAPFILE"
	if last := argv[len(argv)-1]; len(argv) > 1 && !strings.HasPrefix(last, "-") {
		name = last
	}
	if st.in == nil || !st.in.known {
		return []*state{st.assign(name, string(unknownWord))}
	}
	lines := strings.Split(strings.TrimSuffix(st.in.text, "\n"), "\n")
	return []*state{st.set(name, expand.Variable{Set: true, Kind: expand.Indexed, List: lines})}
}

func alias(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	return []*state{st.with(func(c *state) {
		c.aliases = cloneTexts(c.aliases)
		if c.aliases == nil {
			c.aliases = map[string]string{}
		}
		for _, a := range argv[1:] {
			if name, value, ok := strings.Cut(a, "="); ok {
				c.aliases[name] = value
			}
		}
	})}
}

// declares reads export and the like where they are not the line's own words, as in
// "builtin export x=1".
func declares(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	export, letters := argv[0] == "export", ""
	for _, w := range argv[1:] {
		if strings.HasPrefix(w, "-") {
			export = export || strings.Contains(w, "x")
			letters += w[1:]
			continue
		}
		name, _, _ := strings.Cut(w, "=")
		st = st.folding(name, letters).export(w, export)
	}
	return []*state{st}
}

func enable(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	if slices.Contains(argv, "-f") {
		r.opaque(fact.OpaqueCommand, "enable -f loads a program", strings.Join(argv, " "))
	}
	return []*state{st}
}

// hash reads -p, by which a name runs another program.
func hash(r *reader, st *state, argv []string) []*state {
	if len(argv) == 4 && argv[1] == "-p" {
		return alias(r, st, []string{"alias", argv[3] + "=" + quoteAll(argv[2:3])})
	}
	r.note(st, argv)
	return []*state{st}
}

// unread gives the variables that a command names unknown values.
func unread(r *reader, st *state, argv []string) []*state {
	r.note(st, argv)
	for _, w := range argv[1:] {
		name, _, _ := strings.Cut(w, "=")
		st = st.assign(strings.TrimRight(name, "+-*/ "), string(plainText))
	}
	return []*state{st}
}

// printf prints, or with -v gives a variable a value.
func printf(r *reader, st *state, argv []string) []*state {
	args := argv[1:]
	name := ""
	if len(args) > 1 && args[0] == "-v" {
		name, args = args[1], args[2:]
	} else if len(args) > 0 && strings.HasPrefix(args[0], "-v") {
		name, args = args[0][2:], args[1:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if name != "" && len(args) > 0 {
		text, known := format(args[0], args[1:])
		if !known {
			text = string(unknownWord)
		}
		if i := strings.IndexByte(name, '['); i > 0 {
			name, text = name[:i], string(unknownWord)
		}
		return []*state{st.assign(name, text)}
	}
	r.launch(st, "printf", argv)
	return []*state{st}
}
