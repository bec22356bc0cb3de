package bash

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// shells are the programs that run shell text as bash does, for what a text means
// to a rule.
var shells = []string{"bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish", "yash", "posh", "oksh", "busybox-sh", "git-shell"}

func isShell(name string) bool { return slices.Contains(shells, name) }

// shell reads bash -c text, bash script and bash < text.
func (r *reader) shell(st *state, name string, words []string) {
	opts := options{
		First: true, Values: "oO",
		Long: []string{"rcfile=", "init-file=", "command= c", "init-command= C"},
	}
	for i, w := range words {
		if strings.HasPrefix(w, "+") { // +x and +o name
			words = slices.Clone(words)
			words[i] = "-" + w[1:]
		}
		if !strings.HasPrefix(w, "-") {
			break
		}
	}
	opts.Long = slices.DeleteFunc(opts.Long, func(row string) bool { return name != "fish" && strings.Contains(row, "command") })
	p := opts.parse(words)
	st.murmur()
	rest := words[min(p.rest, len(words)):]
	if len(rest) > 0 && rest[0] == "-" {
		rest = rest[1:]
	}
	inner := st.through(name).with(func(c *state) {
		c.aliases = nil
		c.args = nil
		c.globs = globbing{}
	})
	for _, option := range p.values("O") {
		inner = shopt(r, inner, []string{"shopt", "-s", option})[0]
	}
	for _, v := range []string{"BASH_ENV", "ENV"} {
		if file, ok := st.exported()[v]; ok && file != "" {
			r.source(inner, r.content(st, file), file, nil)
		}
	}
	if text := st.exported()["PROMPT_COMMAND"]; text != "" && p.has("i") {
		r.script(inner, text, name)
	}
	for _, file := range p.values("rcfile", "init-file") {
		r.source(inner, r.content(st, file), file, nil)
	}
	switch {
	case p.has("n", "dump-strings", "version", "help"):
	case p.has("c", "command"):
		if texts := p.values("command"); len(texts) > 0 {
			rest = append([]string{texts[0]}, rest...)
		}
		if len(rest) == 0 {
			return
		}
		if len(rest) > 1 {
			inner = inner.with(func(c *state) { c.name, c.args = rest[1], rest[2:] })
		}
		inner = inner.with(func(c *state) { c.out = st.out })
		if st.out != nil {
			st.out.unknown = false || st.out.unknown
		}
		r.script(inner, rest[0], name)
	case len(rest) == 0 || p.has("s"):
		inner = inner.with(func(c *state) { c.args = rest })
		if st.in == nil {
			r.waits(name, "commands")
		}
		r.shellInput(inner, cmpInput(st.in), name)
	default:
		r.scriptFile(inner, rest[0], rest[1:])
	}
}

// shellInput reads the text that a shell is given to read.
func (r *reader) shellInput(st *state, in *input, name string) {
	if !in.known {
		r.opaque(fact.OpaqueCommand, name+" runs text that is not in the line", in.text)
		return
	}
	r.script(st, in.text, name)
}

// scriptFile reads a script by its name: one that the line wrote, or else a script of
// the repository, which is allowed.
func (r *reader) scriptFile(st *state, name string, args []string) {
	in := r.content(st, name)
	switch {
	case isOpen(name), strings.HasPrefix(name, "/dev/"), strings.HasPrefix(name, "/proc/"):
		r.source(st, in, name, args)
	case r.files[r.abs(st, name)] != nil, r.isFilled(r.abs(st, name)):
		r.source(st, in, name, args)
	case r.placeOf(r.abs(st, name)) == fact.PlaceOutside && !hasMark(name) && !systemFile(r.abs(st, name)):
		r.opaque(fact.OpaqueCommand, "the script is outside the repository", name)
	}
}

func systemFile(abs string) bool {
	return slices.ContainsFunc([]string{"/usr/", "/bin/", "/opt/", "/etc/"}, func(p string) bool { return strings.HasPrefix(abs, p) })
}

// language is an interpreter of programs that are not shell text.
type language struct {
	Names   []string // a digit and a dot may follow
	Text    string   // options whose value is a program
	Options options
	Operand bool                  // the first operand is a program, as of awk
	Prints  func() *regexp.Regexp // a program that only prints
	Stdin   bool                  // reads a program from the input without operands
}

const quotedText = `("[^"\\$]*"|'[^'\\]*')`

// languages lists the interpreters. Their programs are opaque unless they plainly
// print.
var languages = []language{
	{
		Names: []string{"python", "pypy", "python3", "python2", "ipython", "py"}, Text: "c", Stdin: true, Options: options{Values: "cmWX"},
		Prints: lazyregexp.New(`^(\s*(import (sys|json|os|platform|this|math|re|time|datetime)(\s*,\s*(sys|json|os|platform|math|re|time|datetime))*\s*;?|print\((f?` + quotedText + `|[\w.+\-*/ ()\[\]]*|,|\s)*\)\s*;?)\s*)*$`),
	},
	{Names: []string{"perl"}, Text: "eE", Stdin: true, Options: options{Values: "eEIMmx", Attached: "0ilCDFd"}, Prints: lazyregexp.New(`^(\s*(print|say)\s*(` + quotedText + `|[$\w.,\s])*(if /[^/]*/)?;?\s*)*$`)},
	{Names: []string{"ruby"}, Text: "e", Stdin: true, Options: options{Values: "eIrCE", Attached: "0iFKTWx"}, Prints: lazyregexp.New(`^(\s*(puts|print|p)\s*(` + quotedText + `|[\w.,\s])*;?\s*)*$`)},
	{Names: []string{"node", "nodejs", "bun", "tsx", "ts-node"}, Text: "e p eval print", Stdin: true, Options: options{Values: "eprC", Long: []string{"eval= e", "print= p", "require= r", "import=", "loader=", "env-file="}}, Prints: lazyregexp.New(`^(\s*console\.log\(((` + quotedText + `)|[\w.+\-*/, ])*\)\s*;?\s*)*$|^[\w.+\-*/ ]*$`)},
	{Names: []string{"deno"}, Text: "eval", Options: options{First: true}},
	{Names: []string{"php"}, Text: "r B R E run process-begin process-code process-end", Stdin: true, Options: options{Values: "rBREdcftz", Long: []string{"run= r", "process-begin= B", "process-code= R", "process-end= E"}}, Prints: lazyregexp.New(`^(\s*(echo|print)\s*` + quotedText + `\s*;\s*)*$`)},
	{Names: []string{"lua", "luajit"}, Text: "e", Stdin: true, Options: options{Values: "el"}, Prints: lazyregexp.New(`^(\s*print\(` + quotedText + `\)\s*)*$`)},
	{Names: []string{"awk", "gawk", "mawk", "nawk", "original-awk"}, Text: "e source", Operand: true, Options: options{Values: "Fvfilei", Long: []string{"source= e", "file= f", "assign= v", "field-separator= F", "include= i", "inplace"}}, Prints: awkPrints},
	{Names: []string{"tclsh", "wish", "expect"}, Text: "c", Stdin: true, Options: options{Values: "cf"}},
	{Names: []string{"R", "Rscript"}, Text: "e", Stdin: true, Options: options{Values: "ef"}},
	{Names: []string{"osascript"}, Text: "e", Stdin: true, Options: options{Values: "el"}},
	{Names: []string{"powershell", "pwsh"}, Text: "c command encodedcommand", Stdin: true, Options: options{}},
	{Names: []string{"cmd"}, Options: options{}},
	{Names: []string{"tcsh", "csh", "rc", "es", "elvish", "nu", "xonsh", "ion"}, Text: "c e commands execute", Stdin: true, Options: options{Values: "ce", Long: []string{"commands= c", "execute= e"}}},
	{Names: []string{"julia", "groovy", "scala", "clojure", "clj", "guile", "sbcl", "emacs", "swift", "elixir", "erl", "ghc", "racket", "octave", "jshell", "raku", "crystal", "kotlin", "janet", "bb"}, Text: "e eval E x c ex iex print", Options: options{Values: "eExcp", Long: []string{"eval= e", "print="}, Single: []string{"ex=", "iex=", "batch", "nx", "cmd=", "eval="}}},
	{Names: []string{"psql", "sqlite3", "mysql", "gdb", "lldb", "bc", "dc", "m4"}, Text: "e eval E x c ex iex", Options: options{Values: "eExc", Long: []string{"eval= e"}, Single: []string{"ex=", "iex=", "batch", "nx", "cmd="}}, Prints: lazyregexp.New(`^[^!|]*$`)},
}

// awkPrints is an awk program without system, pipes, redirections and getline.
var awkPrints = lazyregexp.New(`^([^"|>@]|"[^"]*"|>=?\s*[\d"$])*$`)

// otherActs are words by which programs of any language run others.
var otherActs = lazyregexp.New(`(?i)\b(shell|system|popen|spawn|execv?[pe]*|subprocess)\b`)

var awkActs = lazyregexp.New(`\b(system|getline|close|eval)\b|print[^;}]*>`)

func interpreterOf(name string) (language, bool) {
	bare := strings.TrimRight(name, "0123456789.")
	for _, l := range languages {
		if slices.Contains(l.Names, name) || slices.Contains(l.Names, bare) {
			return l, true
		}
	}
	return language{}, false
}

// interpret reads a command of an interpreter, and reports whether it is done: a
// module that is run by name is not.
func (r *reader) interpret(st *state, l language, argv []string) bool {
	name, words := base(argv[0]), clusters(base(argv[0]), argv[1:])
	opts := l.Options
	opts.First = true
	p := opts.parse(words)
	rest := words[min(p.rest, len(words)):]
	if module := p.values("m"); len(module) > 0 && slices.Contains(languages[0].Names, strings.TrimRight(name, "0123456789.")) {
		r.note(st, argv)
		r.module(st.through(name), module[len(module)-1], argv)
		return true
	}
	switch name {
	case "powershell", "pwsh", "cmd":
		r.note(st, argv)
		r.opaque(fact.OpaqueCommand, "a text for "+name+" is not read", strings.Join(words, " "))
		return true
	case "deno":
		if len(rest) == 0 || rest[0] != "eval" {
			return false
		}
		rest = rest[1:]
		l.Operand = true
	}
	texts := p.values(strings.Fields(l.Text)...)
	for letters := range strings.FieldsSeq(l.Text) {
		for _, c := range letters {
			if len(letters) < 3 {
				texts = append(texts, p.values(string(c))...)
			}
		}
	}
	r.recordKnown(st, name, argv)
	st.murmur()
	if l.Operand && len(texts) == 0 && !p.has("f", "file") && len(rest) > 0 {
		texts, rest = rest[:1], rest[1:]
	}
	inplace := name == "perl" && p.has("i") || name == "ruby" && p.has("i") || p.has("inplace") || strings.Contains(name, "awk") && slices.Contains(p.values("i", "include"), "inplace")
	if inplace {
		for _, f := range rest {
			r.write(st, name, f, change{})
		}
		if len(texts) > 0 && simpleSubstitution(texts[0]) {
			return true
		}
	}
	if name == "sqlite3" && len(rest) > 1 {
		texts = append(texts, rest[1:]...)
	}
	for _, text := range texts {
		r.programText(l, name, text)
	}
	if len(texts) > 0 {
		return true
	}
	switch {
	case len(rest) > 0 && rest[0] != "-":
		if in := r.files[r.abs(st, rest[0])]; in != nil || r.isFilled(r.abs(st, rest[0])) || strings.HasPrefix(r.abs(st, rest[0]), "/dev/fd/") || isOpen(rest[0]) {
			r.programFile(l, name, cmpInput(r.content(st, rest[0])))
		}
	case l.Stdin && st.in == nil && len(rest) == 0:
		if name := strings.TrimRight(name, "0123456789."); len(words) != 1 || words[0] != "-v" || name == "python" { // which prints the version
			r.waits(name, "a program")
		}
	case l.Stdin:
		r.programFile(l, name, cmpInput(st.in))
	}
	return true
}

// clusters takes the letters of options apart that an interpreter takes together, where the last one is
// that of a program: -0777ne and -lpi of perl and ruby, -pe of node.
func clusters(name string, words []string) []string {
	bare := strings.TrimRight(name, "0123456789.")
	perl := bare == "perl" || bare == "ruby"
	if !perl && bare != "node" && bare != "nodejs" && bare != "bun" {
		return words
	}
	var list []string
	for i, w := range words {
		if len(w) < 3 || w[0] != '-' || w[1] == '-' {
			list = append(list, w)
			if w == "" || w[0] != '-' || w == "--" {
				return append(list, words[i+1:]...)
			}
			if w == "-e" || w == "-E" { // what follows is its value
				return append(list, words[i+1:]...)
			}
			continue
		}
		if !perl {
			if strings.Trim(w[1:], "pe") == "" {
				w = "-e"
			}
			list = append(list, w)
			continue
		}
		flags := ""
		for j := 1; j < len(w); j++ {
			switch c := w[j]; {
			case c == 'l' || c == '0':
				for j+1 < len(w) && strings.IndexByte("0123456789xabcdefABCDEF", w[j+1]) >= 0 && (c == '0' && w[j+1] != 'e' && w[j+1] != 'a' || w[j+1] <= '9') {
					j++
				}
			case strings.IndexByte("anpswtTuUXcSgvh", c) >= 0:
				flags += string(c)
			default:
				if flags != "" {
					list = append(list, "-"+flags)
				}
				list, flags = append(list, "-"+w[j:]), ""
				j = len(w)
			}
		}
		if flags != "" {
			list = append(list, "-"+flags)
		}
		if last := list[len(list)-1]; last == "-e" || last == "-E" {
			return append(list, words[i+1:]...)
		}
	}
	return list
}

// substitution is s/a/b/ and its kind, without the letter that runs the replacement.
var substitution = lazyregexp.New(`^\s*((s|tr|y)(/[^/]*/[^/]*/|,[^,]*,[^,]*,|\|[^|]*\|[^|]*\||#[^#]*#[^#]*#)[gimsxr]*\s*;?\s*)+$`)

func simpleSubstitution(text string) bool {
	return substitution().MatchString(text) &&
		!strings.Contains(text, "(?{") && !strings.Contains(text, "@{") && !strings.Contains(text, "`")
}

func (r *reader) programFile(l language, name string, in *input) {
	if !in.known {
		r.opaque(fact.OpaqueCommand, name+" runs a program that is not in the line", in.text)
		return
	}
	r.programText(l, name, in.text)
}

// programText reports a program, unless it plainly prints.
func (r *reader) programText(l language, name, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	plain := slices.Contains(l.Names, "perl") && simpleSubstitution(text) || l.Prints != nil && l.Prints().MatchString(strings.TrimSpace(text)) && !isUnknown(text)
	if l.Operand && name != "deno" {
		plain = plain && !awkActs().MatchString(text)
	}
	if otherActs().MatchString(text) {
		plain = false
	}
	if !plain {
		r.opaque(fact.OpaqueCommand, "a program for "+name+" is not read", text)
	}
}

// module reads python -m name.
func (r *reader) module(st *state, module string, argv []string) {
	i := slices.IndexFunc(argv, func(w string) bool {
		return w == module || strings.HasSuffix(w, "m"+module) && strings.HasPrefix(w, "-")
	})
	if i < 0 || isUnknown(module) {
		r.opaque(fact.OpaqueCommand, "the module is not in the line", strings.Join(argv, " "))
		return
	}
	if slices.Contains([]string{"code", "asyncio", "idlelib", "IPython"}, module) {
		r.programFile(languages[0], "python", cmpInput(st.in))
	}
	if module == "timeit" {
		r.opaque(fact.OpaqueCommand, "a program for python is not read", strings.Join(argv, " "))
	}
	if (module == "zipfile" || module == "tarfile") && slices.ContainsFunc(argv, func(w string) bool { return w == "-e" || w == "--extract" }) {
		r.opaque(fact.OpaqueCommand, "the archive's files are not in the line", strings.Join(argv, " "))
	}
	if rest := argv[i+1:]; (module == "zipfile" || module == "tarfile") && len(rest) > 1 && (rest[0] == "-c" || rest[0] == "--create") {
		r.write(st, module, rest[1], change{})
	}
	r.run(st.with(func(c *state) { c.funcs, c.aliases = nil, nil }), append([]string{module}, argv[i+1:]...))
}
