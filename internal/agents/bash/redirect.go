package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect returns the state in which a redirected command runs. The caller calls
// flush when the command has run: then the files have their content.
func (r *reader) redirect(st *state, redirs []*syntax.Redirect) (inner *state, flush func()) {
	inner, flush = st, func() {}
	for _, rd := range redirs {
		fd := "1"
		if rd.N != nil {
			fd = rd.N.Value
		}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			inner = inner.reads(r.heredoc(inner, rd), rd.N)
		case syntax.WordHdoc:
			text := r.literal(inner, rd.Word, true) + "\n"
			inner = inner.reads(&input{text: text, known: !isUnknown(text)}, rd.N)
		case syntax.RdrIn:
			name := r.target(inner, rd.Word)
			inner = inner.reads(r.content(inner, name), rd.N)
		case syntax.DplIn:
			r.target(inner, rd.Word)
		case syntax.DplOut:
			name := r.target(inner, rd.Word)
			if strings.Trim(name, "0123456789-") == "" {
				if fd == "1" && name != "1" {
					inner = inner.with(func(c *state) { c.out = nil })
				}
				continue
			}
			inner, flush = r.sink(inner, name, fd, false, flush)
		default:
			appends := rd.Op == syntax.AppOut || rd.Op == syntax.AppAll || rd.Op == syntax.AppClob || rd.Op == syntax.AppAllClob || rd.Op == syntax.RdrInOut
			if rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll || rd.Op == syntax.RdrAllClob || rd.Op == syntax.AppAllClob {
				fd = "1"
			}
			inner, flush = r.sink(inner, r.target(inner, rd.Word), fd, appends, flush)
		}
	}
	return inner, flush
}

// reads returns the state in which a command reads a text.
func (st *state) reads(in *input, fd *syntax.Lit) *state {
	if fd != nil && fd.Value != "0" {
		return st
	}
	return st.with(func(c *state) { c.in = in })
}

// sink writes what a command prints to a file.
func (r *reader) sink(st *state, name, fd string, appends bool, before func()) (*state, func()) {
	r.write(st, "redirection", name, change{})
	if fd != "1" {
		return st, before
	}
	out := &capture{}
	file := r.abs(st, name)
	if appends {
		if old := r.files[file]; old != nil && old.known {
			out.text.WriteString(old.text)
		} else {
			out.unknown = old != nil || out.unknown
		}
	}
	return st.with(func(c *state) { c.out = out }), func() {
		before()
		if !strings.HasPrefix(file, "/dev/") {
			r.store(file, out.input())
		}
	}
}

// store remembers the content of a file that the line wrote.
func (r *reader) store(file string, in *input) {
	if len(r.files) < 1000 {
		r.files[file] = in
	}
	r.readConfig(file, in)
}

func (r *reader) heredoc(st *state, rd *syntax.Redirect) *input {
	if rd.Hdoc == nil {
		return &input{known: true}
	}
	var body string
	if quotedDelimiter(rd.Word) {
		var b strings.Builder
		for _, p := range rd.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				b.WriteString(lit.Value)
			}
		}
		body = b.String()
	} else {
		body = r.document(st, rd.Hdoc)
	}
	if rd.Op == syntax.DashHdoc {
		lines := strings.Split(body, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, "\t")
		}
		body = strings.Join(lines, "\n")
	}
	return &input{text: body, known: !isUnknown(body)}
}

func quotedDelimiter(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(p.Value, `\`) {
				return true
			}
		}
	}
	return false
}
