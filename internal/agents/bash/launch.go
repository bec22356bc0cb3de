package bash

import (
	"path"
	"slices"
	"strings"
)

// launch reads a program: what it runs, what it writes and what it prints.
func (r *reader) launch(st *state, name string, argv []string) {
	words := argv[1:]
	if target := r.linkedProgram(st, argv[0]); target != "" && base(target) != name {
		r.note(st, argv)
		r.launch(st, base(target), append([]string{target}, words...))
		return
	}
	if name != "git" && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !versionOnly(w) }) { // git may still write a trace
		r.note(st, argv)
		st.murmur()
		return
	}
	if w, rest, ok := wrapperOf(name, words); ok && (!w.Optional || len(rest) > 0 || name == "su") {
		r.note(st, argv[:1+max(0, len(words)-len(rest))])
		if name == "env" && len(rest) == 0 {
			st.murmur()
		}
		r.unwrap(st, w, name, rest)
		if w.Optional {
			r.tool(st, name, argv)
		}
		return
	}
	switch {
	case isShell(name):
		r.note(st, argv[:1])
		r.shell(st, name, words)
		return
	case slices.Contains(patchers, name):
		r.applyPatch(st, name, argv)
		return
	case name == "git":
		r.git(st, argv)
		return
	case strings.HasPrefix(name, "git-") && hasGitCommand(name[4:]):
		r.git(st, append([]string{"git", name[4:]}, words...))
		return
	case name == "xargs" || name == "gxargs" || name == "parallel":
		r.xargs(st, name, words)
		return
	case name == "find" || name == "gfind" || name == "fd" || name == "fdfind":
		r.find(st, name, argv)
		return
	}
	if slices.Contains([]string{"yarn", "pnpm", "bun"}, name) && len(words) > 0 { // which run programs by their names
		if _, lang := interpreterOf(words[0]); lang || isShell(words[0]) || words[0] == "git" {
			r.recordKnown(st, name, argv)
			r.run(st.through(name).with(func(c *state) { c.funcs, c.aliases = nil, nil }), words)
			return
		}
	}
	if lang, ok := interpreterOf(name); ok && r.interpret(st, lang, argv) {
		return
	}
	r.tool(st, name, argv)
}

// linkedProgram returns what a link that the line makes runs by a name: one in a directory that
// may be in PATH, or a path.
func (r *reader) linkedProgram(st *state, name string) string {
	if hasMark(name) {
		return ""
	}
	if strings.Contains(name, "/") {
		return r.links[r.entry(st, name)]
	}
	for link, target := range r.links {
		if path.Base(link) == name && st.vars["PATH"].Set {
			return target
		}
	}
	return ""
}

func hasGitCommand(name string) bool {
	_, ok := gitOptions[name]
	return ok
}

func versionOnly(w string) bool { return w == "--version" || w == "--help" || w == "-V" }

// tool reads a program that runs nothing else.
func (r *reader) tool(st *state, name string, argv []string) {
	r.recordKnown(st, name, argv)
	r.writes(st, name, argv[1:])
	r.escapes(st, name, argv[1:])
	if name == "tee" {
		for _, w := range argv[1:] {
			if !strings.HasPrefix(w, "-") {
				r.store(r.abs(st, w), cmpInput(st.in))
			}
		}
	}
	r.prints(st, name, argv[1:])
}

// xargs reads the command that xargs runs with the words of its input.
func (r *reader) xargs(st *state, name string, words []string) {
	opts := options{
		First: true, Values: "aEIJLnPRsdj", Attached: "ile",
		Long: []string{"arg-file= a", "delimiter= d", "replace? i", "max-args= n", "max-lines? l", "max-procs= P", "max-chars= s", "null 0", "no-run-if-empty r", "eof? e", "verbose t", "process-slot-var=", "jobs= j"},
	}
	p := opts.parse(words)
	command := slices.Clone(words[min(p.rest, len(words)):])
	r.note(st, append([]string{name}, words[:min(p.rest, len(words))]...))
	st.murmur()
	in := cmpInput(st.in)
	inner := st.through(name).with(func(c *state) { c.in, c.funcs, c.aliases = &input{known: true}, nil, nil })
	if files := p.values("arg-file"); len(files) > 0 {
		in = r.content(st, files[0])
	}
	var replaced string
	for _, v := range append(p.values("I", "J"), p.values("replace")...) {
		replaced = v
	}
	if p.has("replace") && replaced == "" || name == "parallel" {
		replaced = "{}"
	}
	if i := slices.Index(command, ":::"); name == "parallel" && i >= 0 {
		in = &input{text: strings.Join(command[i+1:], "\n"), known: true}
		command = command[:i]
	}
	if len(command) == 0 {
		if name == "parallel" {
			r.shellInput(inner, in, name)
		}
		return
	}
	items := []string{string(unknownWords)}
	if in.known {
		items = xargsWords(in.text, p, replaced)
	} else if in.found != nil && in.text == "" {
		items = in.found
	}
	if name == "parallel" {
		for _, item := range items {
			text := strings.Join(command, " ")
			if strings.Contains(text, "{}") {
				text = strings.ReplaceAll(text, "{}", item)
			} else {
				text += " " + item
			}
			r.shellText(inner, text, name)
		}
		return
	}
	if replaced == "" {
		r.run(inner, append(command, items...))
		return
	}
	for _, item := range items {
		r.run(inner, replaceAll(command, replaced, join(item)))
	}
}

func replaceAll(words []string, old, with string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = strings.ReplaceAll(w, old, with)
	}
	return list
}

// xargsWords splits the input of xargs.
func xargsWords(text string, p parsed, replaced string) []string {
	var list []string
	switch delimiters := p.values("delimiter"); {
	case p.has("null", "0"):
		list = strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	case len(delimiters) > 0:
		delimiter := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\x00").Replace(delimiters[0])
		list = strings.Split(strings.TrimSuffix(text, "\n"), cmpOr(delimiter, "\n"))
	case replaced != "":
		list = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	default:
		for w := range strings.FieldsSeq(text) {
			list = append(list, strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(w))
		}
	}
	if len(list) > maxWords {
		list = append(list[:maxWords:maxWords], string(unknownWords))
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// find reads what find runs and removes. What it finds is a pattern below the
// directories it starts in.
func (r *reader) find(st *state, name string, argv []string) {
	words := argv[1:]
	r.note(st, argv)
	var starts []string
	i := 0
	for ; i < len(words) && !strings.HasPrefix(words[i], "-") && words[i] != "(" && words[i] != "!"; i++ {
		starts = append(starts, words[i])
	}
	for i < len(words) && slices.Contains([]string{"-H", "-L", "-P"}, words[i]) && len(starts) == 0 {
		for i++; i < len(words) && !strings.HasPrefix(words[i], "-"); i++ {
			starts = append(starts, words[i])
		}
	}
	if name != "find" && name != "gfind" {
		starts = nil // fd takes the pattern first
	}
	if len(starts) == 0 {
		starts = []string{"."}
	}
	found := results(starts, words[i:])
	st.out.print(found)
	inner := st.through(name).with(func(c *state) { c.funcs, c.aliases = nil, nil })
	for ; i < len(words); i++ {
		switch words[i] {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
			end := i + 1
			for end < len(words) && words[end] != ";" && (words[end] != "+" || words[end-1] != "{}") {
				end++
			}
			command := words[i+1 : min(end, len(words))]
			for _, f := range found {
				r.run(inner, replaceAll(command, "{}", f))
			}
			i = end
		case "-delete":
			for _, f := range found {
				r.write(st, name, f, change{deletes: true, recursive: !slices.Contains(argv, "-empty"), single: strings.ContainsRune(f, anyDepth)})
			}
		case "-fprint", "-fprint0", "-fprintf", "-fls":
			if i+1 < len(words) {
				r.write(st, name, words[i+1], change{})
			}
		case "-files0-from":
			found = []string{string(unknownWord)}
		}
	}
}

// print prints what find found, one path a line: it is known as patterns.
func (c *capture) print(paths []string) {
	if c == nil {
		return
	}
	c.unknown = true
	c.found = append(c.found, paths...)
}
