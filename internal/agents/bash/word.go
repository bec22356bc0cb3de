package bash

import (
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// environ answers the library's questions about variables.
type environ struct {
	r  *reader
	st *state
}

func (e environ) Each(func(string, expand.Variable) bool) {}

func (e environ) Get(name string) expand.Variable {
	v, _ := e.r.variable(e.st, name)
	return v
}

// Set implements ${x:=y}.
func (e environ) Set(name string, v expand.Variable) error {
	v.Set = true
	if v.Kind == expand.Unknown {
		v.Kind = expand.String
	}
	e.r.given = append(e.r.given, given{name, v})
	return nil
}

// variable returns a variable, and whether its value is in the line.
func (r *reader) variable(st *state, name string) (expand.Variable, bool) {
	if v, ok := st.vars[name]; ok {
		return v, v.Kind != expand.NameRef
	}
	known := func(s string) (expand.Variable, bool) { return text(s), true }
	switch name {
	case "@", "*":
		return expand.Variable{Set: true, Kind: expand.Indexed, List: st.args}, true
	case "#":
		return known(strconv.Itoa(len(st.args)))
	case "0":
		return known(st.name)
	case "HOME":
		if r.Home != "" {
			return known(r.Home)
		}
	case "PWD":
		return known(st.dir)
	case "OLDPWD":
		if st.old != "" {
			return known(st.old)
		}
	case "IFS":
		return known(" \t\n")
	case "BASH":
		return known("/bin/bash")
	case "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_STATE": // files of GitHub's runner
		return known("/home/runner/work/_temp/_runner_file_commands/" + string(plainText))
	case "?", "$", "!", "-", "RANDOM", "SRANDOM", "SECONDS", "UID", "EUID", "PPID", "LINENO", "BASHPID", "EPOCHSECONDS", "SHLVL", "BASH_VERSION", "USER", "LOGNAME", "HOSTNAME":
		return known(string(plainText))
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n <= len(st.args) && n > 0 {
			return known(st.args[n-1])
		}
		return expand.Variable{}, true
	}
	if user, ok := strings.CutPrefix(name, "HOME "); ok {
		return known("/home/" + user)
	}
	return expand.Variable{}, false
}

func (r *reader) expander(st *state) *expand.Config {
	return &expand.Config{
		Env: environ{r, st},
		CmdSubst: func(w io.Writer, c *syntax.CmdSubst) error {
			out := r.outputs[c]
			if out == nil || !out.known {
				return errors.New("unknown output")
			}
			_, err := io.WriteString(w, strings.TrimRight(out.text, "\n"))
			return err
		},
		ProcSubst: func(p *syntax.ProcSubst) (string, error) { return r.proc[p], nil },
	}
}

// fields expands words to the arguments of a command.
func (r *reader) fields(st *state, words []*syntax.Word) []string {
	var list []string
	for _, w := range words {
		if len(list) > maxWords {
			r.opaque(fact.OpaqueCommand, "a command has too many words to be read", "")
			return list
		}
		parts, ok := braces(w)
		if !ok {
			list = append(list, string(unknownWords))
			continue
		}
		for _, part := range parts {
			list = append(list, r.field(st, part)...)
		}
	}
	return list
}

func (r *reader) field(st *state, w *syntax.Word) []string {
	s := settler{r: r, st: st}
	settled := s.word(w, false)
	fields, err := expand.Fields(r.expander(st), settled)
	if err != nil {
		return []string{string(unknownWords)}
	}
	for i, f := range fields {
		if s.globs {
			f = glob(f)
		}
		if len(f) > maxValue {
			f = string(unknownWords)
		}
		fields[i] = st.globs.matching(f, st.vars["GLOBIGNORE"].Set)
	}
	return fields
}

// literal expands a word to one text, without wildcards, as in assignments and here-documents.
func (r *reader) literal(st *state, w *syntax.Word) string {
	if w == nil {
		return ""
	}
	s := settler{r: r, st: st, assigned: true}
	value, err := expand.Literal(r.expander(st), s.word(w, false))
	if err != nil || len(value) > maxValue {
		return string(unknownWord)
	}
	return join(value)
}

// document expands the body of a here-document.
func (r *reader) document(st *state, w *syntax.Word) string {
	s := settler{r: r, st: st}
	value, err := expand.Document(r.expander(st), s.word(w, true))
	if err != nil || len(value) > maxLine {
		return string(unknownWord)
	}
	return join(value)
}

// target expands the word of a redirection, which is one file.
func (r *reader) target(st *state, w *syntax.Word) string {
	fields := r.fields(st, []*syntax.Word{w})
	if len(fields) == 1 {
		return join(fields[0])
	}
	return string(unknownWord)
}

// settler replaces the parts of words that the line does not show by marks.
type settler struct {
	r        *reader
	st       *state
	assigned bool // wildcards are ordinary characters
	globs    bool // a variable's wildcards are at work
	size     int  // of the values so far
}

func (s *settler) word(w *syntax.Word, quoted bool) *syntax.Word {
	c := &syntax.Word{}
	for i, part := range w.Parts {
		c.Parts = append(c.Parts, s.part(part, quoted, i == 0))
	}
	return c
}

func (s *settler) part(part syntax.WordPart, quoted, first bool) syntax.WordPart {
	switch p := part.(type) {
	case *syntax.Lit:
		if quoted {
			return p
		}
		return s.lit(p, first)
	case *syntax.DblQuoted:
		inner := s.word(&syntax.Word{Parts: p.Parts}, true)
		return &syntax.DblQuoted{Parts: inner.Parts}
	case *syntax.SglQuoted:
		return p
	case *syntax.ExtGlob:
		return &syntax.Lit{Value: string(anyName)}
	case *syntax.ProcSubst:
		return &syntax.Lit{Value: s.r.process(s.st, p)}
	case *syntax.ArithmExp:
		if s.r.known(s.st, p) {
			return p
		}
		return &syntax.Lit{Value: string(plainText)}
	case *syntax.ParamExp, *syntax.CmdSubst:
		return s.expansion(part, quoted)
	}
	return &syntax.Lit{Value: s.unknown(quoted)}
}

func (s *settler) unknown(quoted bool) string {
	if quoted || s.assigned {
		return string(unknownWord)
	}
	return string(unknownWords)
}

// expansion settles a parameter or command substitution.
func (s *settler) expansion(part syntax.WordPart, quoted bool) syntax.WordPart {
	if !s.r.known(s.st, part) {
		if p, ok := part.(*syntax.ParamExp); ok && several(p) {
			quoted = false
		}
		return &syntax.Lit{Value: s.unknown(quoted)}
	}
	value, err := expand.Literal(s.r.expander(s.st), &syntax.Word{Parts: []syntax.WordPart{part}})
	s.size += len(value)
	switch {
	case err != nil || s.size > 4*maxValue:
		return &syntax.Lit{Value: s.unknown(quoted)}
	case quoted || s.assigned:
		return part
	case isUnknown(value):
		return &syntax.Lit{Value: string(unknownWords)}
	case strings.ContainsAny(value, "*?["):
		s.globs = true
	}
	return part
}

// lit marks the wildcards of a text that is not quoted, and replaces ~+ and ~-.
func (s *settler) lit(p *syntax.Lit, first bool) syntax.WordPart {
	v := p.Value
	if m := valueHome().FindStringIndex(v); first && m != nil { // bash expands x=~/y in arguments, too
		home := s.st.dir
		switch rest := v[m[1]:]; {
		case strings.HasPrefix(rest, "+"):
			v = v[:m[1]-1] + home + rest[1:]
		case strings.HasPrefix(rest, "-"):
			v = v[:m[1]-1] + cmpOr(s.st.old, string(unknownWord)) + rest[1:]
		case rest == "" || rest[0] == '/':
			to, ok := s.r.variable(s.st, "HOME")
			if !ok {
				to.Str = string(unknownWord)
			}
			v = v[:m[1]-1] + to.Str + rest
		}
	}
	if first {
		for prefix, dir := range map[string]string{"~+": s.st.dir, "~-": s.st.old} {
			if rest, ok := strings.CutPrefix(v, prefix); ok && (rest == "" || rest[0] == '/') {
				v = cmpOr(dir, string(unknownWord)) + rest
			}
		}
		if s.r.Home == "" && (v == "~" || strings.HasPrefix(v, "~/")) && !s.st.vars["HOME"].Set {
			v = string(unknownWord) + v[1:]
		}
	}
	if v == "[" { // the program
		return p
	}
	if s.assigned {
		if strings.Contains(v, `\`) { // which expand.Literal keeps
			return &syntax.SglQuoted{Value: unescape(v)}
		}
		return &syntax.Lit{Value: v}
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		switch {
		case v[i] == '\\' && i+1 < len(v):
			b.WriteByte(v[i])
			i++
			b.WriteByte(v[i])
		default:
			b.WriteString(glob(v[i : i+1]))
		}
	}
	return &syntax.Lit{Value: b.String()}
}

// valueHome is the beginning of NAME=~.
var valueHome = lazyregexp.New(`^[A-Za-z_]\w*=~`)

// unescape removes the backslashes of a text that is not quoted.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// known runs the command substitutions of a node, and reports whether all of its
// values are in the line.
func (r *reader) known(st *state, node syntax.Node) bool {
	all := true
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			out := r.capture(st, n.Stmts)
			r.outputs[n] = out
			all = all && out.known
			return false
		case *syntax.ProcSubst:
			r.process(st, n)
			return false
		case *syntax.ParamExp:
			all = r.knownParam(st, n) && all
		case *syntax.ExtGlob:
			all = false
		}
		return true
	})
	return all
}

// several reports whether an expansion is as many words as there are values: $@ and ${x[@]}.
func several(p *syntax.ParamExp) bool {
	if w, ok := p.Index.(*syntax.Word); ok && w.Lit() == "@" {
		return true
	}
	return p.Param != nil && p.Param.Value == "@"
}

func (r *reader) knownParam(st *state, p *syntax.ParamExp) bool {
	if p.Param == nil || p.Names != 0 || p.Flags != nil || p.NestedParam != nil || p.Width || p.IsSet || len(p.Modifiers) > 0 {
		return false
	}
	v, ok := r.variable(st, p.Param.Value)
	if !ok {
		return false
	}
	if p.Index != nil && (v.Kind == expand.Associative || isUnknown(v.Str)) || p.Repl != nil && anchored(p.Repl.Orig) {
		return false
	}
	changed := p.Excl || p.Length || p.Slice != nil || p.Repl != nil || p.Exp != nil
	if changed && slices.ContainsFunc(append([]string{v.Str}, v.List...), hasMark) {
		return false
	}
	if p.Excl {
		_, ok := r.variable(st, v.Str)
		return ok && p.Index == nil
	}
	if name := p.Param.Value; p.Exp != nil && (p.Exp.Op == syntax.OtherParamOps || (name == "@" || name == "*") && len(st.args) == 0) {
		return false // the library takes no arguments for a value
	}
	return !escapes(p)
}

// anchored reports whether a replacement is of the beginning or the end, ${x/#a/b}, which the
// library does not know.
func anchored(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	return !ok || strings.HasPrefix(lit.Value, "#") || strings.HasPrefix(lit.Value, "%")
}

// escapes reports whether the words of an expansion have backslashes, which the library
// does not remove.
func escapes(p *syntax.ParamExp) bool {
	found := false
	syntax.Walk(p, func(n syntax.Node) bool {
		if lit, ok := n.(*syntax.Lit); ok && strings.Contains(lit.Value, `\`) {
			found = true
		}
		return !found
	})
	return found
}

// process runs a process substitution, and returns its path.
func (r *reader) process(st *state, p *syntax.ProcSubst) string {
	r.fds++
	name := "/dev/fd/" + strconv.Itoa(62+r.fds)
	if p.Op == syntax.CmdOut {
		r.stmts([]*state{st.with(func(c *state) { c.in = &input{}; c.out = nil })}, p.Stmts)
	} else {
		r.files[name] = r.capture(st, p.Stmts)
	}
	r.proc[p] = name
	return name
}

// capture runs commands for what they print.
func (r *reader) capture(st *state, stmts []*syntax.Stmt) *input {
	out := &capture{}
	if len(stmts) == 1 && stmts[0].Cmd == nil && len(stmts[0].Redirs) == 1 && stmts[0].Redirs[0].Op == syntax.RdrIn {
		return r.content(st, r.target(st, stmts[0].Redirs[0].Word)) // $(<file)
	}
	if !r.deeper() {
		return &input{}
	}
	defer r.up()
	saved := r.given
	r.stmts([]*state{st.piped("1").with(func(c *state) { c.out = out })}, stmts)
	r.given = saved
	return out.input()
}

// content returns the content of a file that the line wrote.
func (r *reader) content(st *state, name string) *input {
	if name == "/dev/null" {
		return &input{known: true}
	}
	if name == "-" || r.abs(st, name) == "/dev/fd/0" {
		return cmpInput(st.in)
	}
	if in := r.files[r.abs(st, name)]; in != nil {
		return in
	}
	return &input{}
}

func cmpInput(in *input) *input {
	if in == nil {
		return &input{known: true}
	}
	return in
}

// abs returns the absolute path of a name, the line's links resolved.
func (r *reader) abs(st *state, name string) string {
	if !strings.HasPrefix(name, "/") {
		name = st.dir + "/" + name
	}
	if name = st.ofProcess(name); isOpen(name) {
		return name
	}
	return r.resolve(name)
}

// ofProcess returns the path that one of a process leads to: its directories, and the files of its
// open descriptors. A descriptor that the line does not open is /dev/fd/N.
func (st *state) ofProcess(name string) string {
	rest, ok := strings.CutPrefix(collapse(name), "/dev/")
	if ok {
		first, _, _ := strings.Cut(rest, "/")
		switch first {
		case "stdin", "stdout", "stderr":
			n := map[string]string{"stdin": "0", "stdout": "1", "stderr": "2"}[first]
			name = "/proc/self/fd/" + n + strings.TrimPrefix(rest, first)
		case "fd":
			name = "/proc/self/" + rest
		}
	}
	rest, ok = strings.CutPrefix(collapse(name), "/proc/")
	if !ok {
		return name
	}
	var parts []string
	for s := range strings.SplitSeq(rest, "/") {
		if s == ".." && len(parts) > 0 {
			parts = parts[:len(parts)-1]
			continue
		}
		if parts = append(parts, s); len(parts) > 1 && slices.Contains([]string{"cwd", "root", "fd"}, s) {
			break
		}
	}
	if len(parts) == 0 || !slices.Contains([]string{"cwd", "root", "fd"}, parts[len(parts)-1]) && !isOpen(parts[len(parts)-1]) {
		return name
	}
	kind, of := parts[len(parts)-1], parts[0]
	_, tail, _ := strings.Cut(rest, "/"+kind)
	own := of == "self" || of == "thread-self" || strings.ContainsRune(of, plainText)
	switch {
	case kind == "root" && own:
		return cmpOr(tail, "/")
	case kind == "cwd" && own:
		return st.dir + tail
	case kind == "fd" && own:
		n, below, deeper := strings.Cut(strings.TrimPrefix(tail, "/"), "/")
		if n == ".." {
			return st.ofProcess("/proc/" + of + "/" + below)
		}
		to, open := st.fds[n]
		switch {
		case open && deeper:
			return to + "/" + below
		case open:
			return to
		case strings.Trim(n, "0123456789") == "" && !deeper:
			return "/dev/fd/" + n
		}
	}
	return string(unknownWord)
}

// collapse removes the empty parts of a path and those that are the directory itself.
func collapse(name string) string {
	var b strings.Builder
	for s := range strings.SplitSeq(name, "/") {
		if s != "" && s != "." {
			b.WriteString("/" + s)
		}
	}
	return b.String()
}

// resolve returns a clean path without the links that the line makes.
func (r *reader) resolve(name string) string {
	name = lexical(name)
	for range 8 {
		before := name
		for link, target := range r.links {
			if name == link || strings.HasPrefix(name, link+"/") {
				if isOpen(target) {
					return target
				}
				name = lexical(target + name[len(link):])
			}
		}
		if name == before {
			break
		}
	}
	if r.Link != nil && !hasMark(name) {
		name = r.Link(name)
	}
	return name
}

// lexical cleans a path; ".." after a part that is not known leaves all unknown.
func lexical(name string) string {
	if !isUnknown(name) && !strings.ContainsRune(name, anyDepth) {
		return path.Clean(name)
	}
	var kept []string
	for seg := range strings.SplitSeq(name, "/") {
		switch {
		case seg == "" || seg == ".":
		case seg == ".." && len(kept) > 0 && !hasMark(kept[len(kept)-1]):
			kept = kept[:len(kept)-1]
		case seg == "..":
			return string(unknownWord)
		default:
			kept = append(kept, seg)
		}
	}
	return "/" + strings.Join(kept, "/")
}

// braces returns the words that the braces of a word make, unless they are more than are
// read.
func braces(w *syntax.Word) ([]*syntax.Word, bool) {
	c := *w
	if !syntax.SplitBraces(&c) {
		return []*syntax.Word{w}, true
	}
	if braceWords(c.Parts) > maxWords {
		return nil, false
	}
	var list []*syntax.Word
	for word, err := range expand.BracesSeq(&expand.Config{}, &c) {
		if err != nil {
			return nil, false
		}
		list = append(list, word)
	}
	return list, true
}

// braceWords counts the words that parts expand to.
func braceWords(parts []syntax.WordPart) int {
	n := 1
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		switch {
		case b.Sequence:
			sum = sequence(b)
		default:
			for _, e := range b.Elems {
				sum += braceWords(e.Parts)
			}
		}
		n *= max(sum, 1)
		if n > maxWords || n < 0 {
			return maxWords + 1
		}
	}
	return n
}

// sequence counts the words of {a..b..c}.
func sequence(b *syntax.BraceExp) int {
	if len(b.Elems) < 2 {
		return 1
	}
	from, err1 := strconv.Atoi(b.Elems[0].Lit())
	to, err2 := strconv.Atoi(b.Elems[1].Lit())
	if err1 != nil || err2 != nil {
		return 256 // letters
	}
	n := to - from
	if n < 0 {
		n = -n
	}
	return n + 1
}
