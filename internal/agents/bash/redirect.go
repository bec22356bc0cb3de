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
			text := r.literal(inner, rd.Word) + "\n"
			inner = inner.reads(&input{text: text, known: !isUnknown(text)}, rd.N)
		case syntax.RdrIn:
			name := r.target(inner, rd.Word)
			inner = inner.reads(r.content(inner, name), rd.N).opens(cmpFD(rd, "0"), r.abs(inner, name))
		case syntax.DplIn:
			n := strings.TrimSuffix(r.target(inner, rd.Word), "-")
			if file, open := inner.fds[n]; open {
				inner = inner.reads(r.content(inner, file), rd.N).opens(cmpFD(rd, "0"), file)
			} else if n != "" && n != "0" {
				inner = inner.reads(&input{}, rd.N)
			}
		case syntax.DplOut:
			name := r.target(inner, rd.Word)
			if strings.Trim(name, "0123456789-") == "" {
				if file, open := inner.fds[strings.TrimSuffix(name, "-")]; open {
					inner = inner.opens(fd, file)
				} else if _, had := inner.fds[fd]; had {
					inner = inner.opens(fd, "/dev/fd/"+name)
				}
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

// cmpFD returns the descriptor of a redirection, or the usual one.
func cmpFD(rd *syntax.Redirect, usual string) string {
	if rd.N != nil {
		return rd.N.Value
	}
	return usual
}

// opens returns the state in which a descriptor is a file. {name} is a descriptor that the shell
// chooses.
func (st *state) opens(fd, file string) *state {
	if name, ok := strings.CutPrefix(fd, "{"); ok {
		return st.assign(strings.TrimSuffix(name, "}"), string(unknownWord))
	}
	return st.with(func(c *state) {
		c.fds = cloneTexts(c.fds)
		if c.fds == nil {
			c.fds = map[string]string{}
		}
		c.fds[fd] = file
	})
}

// piped returns the state in which a descriptor is a pipe, and not a file that the line opens.
func (st *state) piped(fd string) *state {
	if _, open := st.fds[fd]; !open {
		return st
	}
	return st.with(func(c *state) {
		c.fds = cloneTexts(c.fds)
		delete(c.fds, fd)
	})
}

// reads returns the state in which a command reads a text.
func (st *state) reads(in *input, fd *syntax.Lit) *state {
	if fd != nil && fd.Value != "0" {
		return st
	}
	return st.piped("0").with(func(c *state) { c.in = in })
}

// sink writes what a command prints to a file.
func (r *reader) sink(st *state, name, fd string, appends bool, before func()) (*state, func()) {
	r.write(st, "redirection", name, change{})
	st = st.opens(fd, r.abs(st, name))
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
