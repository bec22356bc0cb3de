package bash

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// stmts reads statements one after the other, on every way through the line.
func (r *reader) stmts(states []*state, list []*syntax.Stmt) []*state {
	for _, s := range list {
		var next []*state
		for _, st := range states {
			next = append(next, r.stmt(st, s)...)
		}
		states = r.distinct(next)
	}
	return states
}

func (r *reader) stmt(st *state, s *syntax.Stmt) []*state {
	ok, failed := r.outcome(st, s)
	return r.distinct(append(ok, failed...))
}

// outcome returns the states after a statement that succeeded, and after one that
// failed.
func (r *reader) outcome(st *state, s *syntax.Stmt) (ok, failed []*state) {
	if !r.spend() {
		return []*state{st}, nil
	}
	s = regroup(s)
	if b, is := s.Cmd.(*syntax.BinaryCmd); is && len(s.Redirs) == 0 && b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		ok, failed = r.andOr(st, b)
	} else {
		ok, failed = r.single(st, s)
	}
	if s.Negated {
		ok, failed = failed, ok
	}
	return ok, failed
}

// regroup returns f() { …; } && x as bash has it, whose function is the braces. The parser takes all
// of it for the function.
func regroup(s *syntax.Stmt) *syntax.Stmt {
	f, ok := s.Cmd.(*syntax.FuncDecl)
	if !ok || f.Body == nil {
		return s
	}
	b, ok := f.Body.Cmd.(*syntax.BinaryCmd)
	if !ok {
		return s
	}
	decl, list := *f, *b
	decl.Body = b.X
	list.X = regroup(&syntax.Stmt{Cmd: &decl})
	return &syntax.Stmt{Cmd: &list, Redirs: f.Body.Redirs}
}

// andOr reads a && b and a || b.
func (r *reader) andOr(st *state, c *syntax.BinaryCmd) (ok, failed []*state) {
	ok, failed = r.outcome(st, c.X)
	if c.Op == syntax.AndStmt {
		var done []*state
		for _, s := range ok {
			o, f := r.outcome(s, c.Y)
			done, failed = append(done, o...), append(failed, f...)
		}
		return r.distinct(done), r.distinct(failed)
	}
	st.murmur()
	var lost []*state
	for _, s := range failed {
		o, f := r.outcome(s, c.Y)
		ok, lost = append(ok, o...), append(lost, f...)
	}
	return r.distinct(ok), r.distinct(lost)
}

// single reads one command with its redirections. A change of the directory that
// fails leaves the state as it was, which is a guess: lines are written for
// directories that exist.
func (r *reader) single(st *state, s *syntax.Stmt) (ok, failed []*state) {
	inner, flush := r.redirect(st, s.Redirs)
	if len(r.given) > 0 {
		given := r.given
		inner = r.take(inner)
		r.given = given
		st = r.take(st)
	}
	states := r.command(inner, s.Cmd)
	flush()
	keeps := keepsOpen(s.Cmd)
	for i, after := range states {
		switch {
		case keeps:
			states[i] = inner
		case after == inner:
			states[i] = st
		case inner != st:
			states[i] = after.with(func(c *state) { c.in, c.out, c.fds = st.in, st.out, st.fds })
		}
		if len(r.given) > 0 {
			given := r.given
			states[i] = r.take(states[i])
			r.given = given
		}
	}
	r.given = nil
	if _, call := s.Cmd.(*syntax.CallExpr); call && len(states) == 1 && states[0].dir != st.dir && len(states[0].stack) >= len(st.stack) {
		return states, []*state{st.with(func(c *state) { c.guess = true })}
	}
	return slices.Clip(states), slices.Clip(states)
}

// keepsOpen reports whether a command is exec alone, whose redirections stay.
func keepsOpen(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	return ok && len(c.Args) == 1 && c.Args[0].Lit() == "exec"
}

func (r *reader) command(st *state, cmd syntax.Command) []*state {
	stay := []*state{st}
	switch c := cmd.(type) {
	case nil:
		return stay
	case *syntax.CallExpr:
		return r.call(st, c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return r.pipe(st, c)
		}
		ok, failed := r.andOr(st, c)
		return r.distinct(append(ok, failed...))
	case *syntax.Block:
		return r.stmts(stay, c.Stmts)
	case *syntax.Subshell:
		r.stmts(stay, c.Stmts)
		return stay
	case *syntax.IfClause:
		return r.choice(st, c)
	case *syntax.WhileClause:
		return r.while(st, c)
	case *syntax.ForClause:
		return r.loop(st, c)
	case *syntax.CaseClause:
		st.murmur()
		r.known(st, c.Word)
		all := stay
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				r.known(st, p)
			}
			all = append(all, r.stmts(stay, item.Stmts)...)
		}
		return r.distinct(all)
	case *syntax.FuncDecl:
		return []*state{r.define(st, c)}
	case *syntax.DeclClause:
		return []*state{r.declare(st, c.Variant.Value, c.Args)}
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return stay
		}
		return r.stmt(st, c.Stmt)
	case *syntax.CoprocClause:
		r.stmt(st, c.Stmt)
		return stay
	}
	r.known(st, cmd) // tests and arithmetic run command substitutions
	return stay
}

// pipe reads a | b; both run in subshells.
func (r *reader) pipe(st *state, c *syntax.BinaryCmd) []*state {
	out := &capture{}
	r.stmt(st.piped("1").with(func(c *state) { c.out = out }), c.X)
	r.stmt(st.piped("0").with(func(c *state) { c.in = out.input() }), c.Y)
	return []*state{st}
}

func (r *reader) choice(st *state, c *syntax.IfClause) []*state {
	st.murmur()
	states := []*state{st}
	var failed []*state
	for i, s := range c.Cond {
		if i < len(c.Cond)-1 {
			states = r.stmts(states, []*syntax.Stmt{s})
			continue
		}
		var ok []*state
		for _, st := range states {
			o, f := r.outcome(st, s)
			ok, failed = append(ok, o...), append(failed, f...)
		}
		states = r.distinct(ok)
	}
	all := r.stmts(states, c.Then)
	if c.Else == nil {
		return r.distinct(append(all, failed...))
	}
	for _, a := range r.distinct(failed) {
		if len(c.Else.Cond) > 0 {
			all = append(all, r.choice(a, c.Else)...)
		} else {
			all = append(all, r.stmts([]*state{a}, c.Else.Then)...)
		}
	}
	return r.distinct(all)
}

// while reads a loop twice, for what the first turn leaves to the second; while
// read … runs once for each line where the lines are known.
func (r *reader) while(st *state, c *syntax.WhileClause) []*state {
	if name, ok := readsLines(c.Cond); ok && st.in != nil && st.in.known {
		lines := strings.Split(strings.TrimSuffix(st.in.text, "\n"), "\n")
		if st.in.text == "" {
			lines = nil
		}
		return r.turns(st, name, lines, c.Do)
	}
	st.murmur()
	states := []*state{st}
	for range 2 {
		after := r.stmts(states, c.Cond)
		states = r.distinct(append(after, r.stmts(after, c.Do)...))
	}
	return states
}

// readsLines returns the variable of a condition "read x".
func readsLines(cond []*syntax.Stmt) (string, bool) {
	if len(cond) != 1 || len(cond[0].Redirs) > 0 {
		return "", false
	}
	call, ok := cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "read" {
		return "", false
	}
	name := call.Args[len(call.Args)-1].Lit()
	for _, w := range call.Args[1 : len(call.Args)-1] {
		if lit := w.Lit(); lit != "-r" {
			return "", false
		}
	}
	return name, name != "" && name[0] != '-'
}

// turns reads the body of a loop once for each value of its variable.
func (r *reader) turns(st *state, name string, values []string, body []*syntax.Stmt) []*state {
	states := []*state{st}
	all := states
	if len(values) > maxTurns {
		values = append(values[:maxTurns:maxTurns], string(unknownWord))
	}
	for _, v := range values {
		var next []*state
		for _, s := range states {
			next = append(next, s.assign(name, v))
		}
		states = r.stmts(next, body)
		all = append(all, states...)
	}
	if len(states) > 1 || len(values) == 0 {
		return r.distinct(all)
	}
	return append([]*state{st}, states...)
}

func (r *reader) loop(st *state, c *syntax.ForClause) []*state {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		values := st.args
		if l.InPos.IsValid() {
			values = r.fields(st, l.Items)
		}
		return r.turns(st, l.Name.Value, values, c.Do)
	case *syntax.CStyleLoop:
		for _, e := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if e == nil {
				continue
			}
			r.known(st, e)
			syntax.Walk(e, func(n syntax.Node) bool {
				if b, ok := n.(*syntax.BinaryArithm); ok {
					if w, ok := b.X.(*syntax.Word); ok && w.Lit() != "" {
						st = st.assign(w.Lit(), string(plainText))
					}
				}
				return true
			})
		}
	}
	st.murmur()
	states := []*state{st}
	for range 2 {
		states = r.distinct(append(states, r.stmts(states, c.Do)...))
	}
	return states
}

func (r *reader) define(st *state, c *syntax.FuncDecl) *state {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	return st.with(func(s *state) {
		s.funcs = cloneFuncs(s.funcs)
		for _, n := range names {
			s.funcs[n.Value] = c.Body
		}
	})
}

func cloneFuncs(m map[string]*syntax.Stmt) map[string]*syntax.Stmt {
	c := make(map[string]*syntax.Stmt, len(m)+1)
	maps.Copy(c, m)
	return c
}

// declare reads export, declare, local, readonly and typeset.
func (r *reader) declare(st *state, variant string, args []*syntax.Assign) *state {
	export, reference := variant == "export", false
	letters := ""
	for _, a := range args {
		if !a.Naked && reference { // to a variable that may change
			st = st.set(a.Name.Value, text(string(unknownWord)))
			continue
		}
		if !a.Naked {
			st = st.folding(a.Name.Value, letters)
			st = r.assignment(st, a, export)
			continue
		}
		var words []string
		switch {
		case a.Value != nil:
			words = r.fields(st, []*syntax.Word{a.Value})
		case a.Name != nil:
			words = []string{a.Name.Value}
		}
		for _, w := range words {
			if strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				export = export || strings.Contains(w, "x")
				letters += w[1:]
				reference = reference || strings.Contains(w, "n") && variant != "export"
				continue
			}
			name, _, _ := strings.Cut(w, "=")
			st = st.folding(name, letters).export(w, export)
		}
	}
	return st
}

// export reads one word of an export command: a name, or name=value.
func (st *state) export(word string, export bool) *state {
	name, value, given := strings.Cut(word, "=")
	v, ok := st.vars[name]
	if given {
		v, ok = text(value), true
	}
	if !ok || isUnknown(name) {
		return st
	}
	v.Exported = v.Exported || export
	return st.set(name, v)
}

// assignment reads name=value.
func (r *reader) assignment(st *state, a *syntax.Assign, export bool) *state {
	if a.Name == nil {
		return st
	}
	name := a.Name.Value
	old, ok := r.variable(st, name)
	unknown := text(string(unknownWord))
	unknown.Exported = export
	var v expand.Variable
	switch {
	case a.Index != nil:
		r.known(st, a)
		return st.set(name, r.element(st, a, old, ok, unknown))
	case a.Array != nil:
		list, known := r.array(st, a.Array)
		if !known || a.Append && (!ok || old.Kind != expand.Indexed && old.Set) {
			return st.set(name, unknown)
		}
		if a.Append {
			list = append(append([]string{}, old.List...), list...)
		}
		v = expand.Variable{Set: true, Kind: expand.Indexed, List: list}
	default:
		v = text(r.literal(st, a.Value))
		if a.Append {
			if !ok || old.Kind == expand.Indexed {
				old.Str = string(unknownWord)
			}
			v = text(old.Str + v.Str)
		}
	}
	v.Exported = export
	return st.set(name, v)
}

// element returns an array after x[i]=y; one that is not known unless i is the next index, or one
// that is set.
func (r *reader) element(st *state, a *syntax.Assign, old expand.Variable, ok bool, unknown expand.Variable) expand.Variable {
	w, isWord := a.Index.(*syntax.Word)
	if !isWord || a.Append || ok && old.Set && old.Kind != expand.Indexed {
		return unknown
	}
	i, err := strconv.Atoi(w.Lit())
	if !ok {
		old.List = nil
	}
	if err != nil || i < 0 || i > len(old.List) {
		return unknown
	}
	list := append(slices.Clone(old.List), "")[:max(len(old.List), i+1)]
	list[i] = r.literal(st, a.Value)
	return expand.Variable{Set: true, Kind: expand.Indexed, List: list, Exported: unknown.Exported}
}

// array reads (a b c), also with indexes that count up from 0.
func (r *reader) array(st *state, a *syntax.ArrayExpr) (list []string, known bool) {
	known = true
	for i, e := range a.Elems {
		if e.Index != nil {
			w, ok := e.Index.(*syntax.Word)
			known = known && ok && w.Lit() == strconv.Itoa(i)
			list = append(list, r.literal(st, e.Value))
			continue
		}
		if e.Value != nil {
			list = append(list, r.fields(st, []*syntax.Word{e.Value})...)
		}
	}
	return list, known
}
