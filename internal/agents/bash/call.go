package bash

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// call reads a simple command.
func (r *reader) call(st *state, c *syntax.CallExpr) []*state {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			st = r.assignment(st, a, false)
			st = r.take(st)
		}
		return []*state{st}
	}
	argv := r.fields(st, c.Args)
	st = r.take(st)
	if len(argv) > 1 && argv[0] == "--" { // time -p -- x
		argv = argv[1:]
	}
	inner := st
	for _, a := range c.Assigns {
		inner = r.assignment(inner, a, true)
	}
	states := r.run(inner, argv)
	if inner == st {
		return states
	}
	for i, after := range states {
		if after == inner {
			states[i] = st
			continue
		}
		states[i] = after.with(func(s *state) {
			for _, a := range c.Assigns {
				if a.Name == nil {
					continue
				}
				vars := cloneVars(s.vars)
				if v, ok := st.vars[a.Name.Value]; ok {
					vars[a.Name.Value] = v
				} else {
					delete(vars, a.Name.Value)
				}
				s.vars = vars
			}
		})
	}
	return states
}

// run reads a command of known words: a function, an alias, a builtin or a program.
func (r *reader) run(st *state, argv []string) []*state {
	stay := []*state{st}
	if len(argv) == 0 || !r.spend() || !r.deeper() {
		return stay
	}
	defer r.up()
	if isUnknown(argv[0]) || isGlob(argv[0]) || strings.ContainsRune(argv[0], plainText) {
		return r.unnamed(st, argv)
	}
	if f := st.funcs[argv[0]]; f != nil {
		return r.function(st, f, argv)
	}
	if value, ok := st.aliases[argv[0]]; ok {
		inner := st.with(func(c *state) {
			c.aliases = cloneTexts(c.aliases)
			delete(c.aliases, argv[0])
		})
		words := quoteAll(argv[1:])
		if next := argv[1:]; strings.HasSuffix(value, " ") && len(next) > 0 && st.aliases[next[0]] != "" { // the next word may be one, too
			words = st.aliases[next[0]] + " " + quoteAll(next[1:])
		}
		r.script(inner, value+" "+words, "alias")
	}
	return r.program(st, argv)
}

// unnamed reports a command whose program is not in the line.
func (r *reader) unnamed(st *state, argv []string) []*state {
	st.murmur()
	r.record(st, command{argv: argv, words: argv})
	why := "the name of the program is not in the line"
	if !isUnknown(argv[0]) {
		why = "the name of the program is a pattern"
	}
	r.opaque(fact.OpaqueCommand, why, strings.Join(argv, " "))
	return []*state{st}
}

// program reads a command that is no function of the line.
func (r *reader) program(st *state, argv []string) []*state {
	name := base(argv[0])
	if do := builtin(name); do != nil {
		return do(r, st, argv)
	}
	if fn := r.startFile(st, argv); fn {
		return []*state{st}
	}
	r.launch(st, name, argv)
	return []*state{st}
}

// startFile reads a file that the line itself wrote, where it is run by its path.
func (r *reader) startFile(st *state, argv []string) bool {
	if !strings.Contains(argv[0], "/") {
		return false
	}
	in := r.files[r.abs(st, argv[0])]
	if in == nil && r.isFilled(r.abs(st, argv[0])) {
		in = &input{}
	}
	if in == nil {
		return false
	}
	r.record(st, command{argv: argv, words: argv})
	r.source(st.through(base(argv[0])), in, argv[0], argv[1:])
	return true
}

// base returns the name of a program without its directory and .exe.
func base(name string) string {
	b := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(b, ".exe")
}

// function reads the body of a function with its arguments.
func (r *reader) function(st *state, body *syntax.Stmt, argv []string) []*state {
	inner := st.with(func(c *state) { c.args = slices.Clone(argv[1:]) })
	states := r.stmt(inner, body)
	for i, after := range states {
		if after == inner {
			states[i] = st
		} else {
			states[i] = after.with(func(c *state) { c.args = st.args })
		}
	}
	return states
}

// script reads a text as a script in a state, and returns the states after it.
func (r *reader) script(st *state, text, by string) []*state {
	states := []*state{st}
	if strings.TrimSpace(text) == "" || !r.deeper() {
		return states
	}
	defer r.up()
	r.parsed += len(text)
	if r.parsed > maxParsed {
		r.opaque(fact.OpaqueCommand, "the line does too much to be read", "")
		return states
	}
	if isUnknown(text) {
		r.opaque(fact.OpaqueCommand, by+" runs text that is not in the line", text)
	}
	if err := parse(text, func(s *syntax.Stmt) { states = r.stmts(states, []*syntax.Stmt{s}) }); err != nil {
		r.opaque(fact.OpaqueCommand, by+" runs text that cannot be parsed", text)
	}
	return states
}

// source reads a file's content as a script with arguments.
func (r *reader) source(st *state, in *input, name string, args []string) []*state {
	if !in.known {
		r.opaque(fact.OpaqueCommand, "the script is not in the line", name)
		return []*state{st}
	}
	inner := st.with(func(c *state) { c.args, c.name = args, name })
	return r.script(inner, in.text, name)
}

// shellText reads a text in a separate shell.
func (r *reader) shellText(st *state, text, by string) {
	r.script(st.through(by), text, by)
}

// quoteAll quotes words so that they are read again as they are.
func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		if strings.ContainsRune(w, unknownWords) {
			quoted[i] = w
		}
	}
	return strings.Join(quoted, " ")
}
