package pattern

import (
	"maps"
	"slices"
	"strings"
)

// Kind is a kind of parts that files have.
type Kind string

// The kinds of parts, by the words of messages.
const (
	Keys     Kind = "key"     // path#/pointer: the keys of structured files (RFC 6901)
	API      Kind = "api"     // path#api: the symbols that code outside can use
	Symbols  Kind = "symbol"  // path#symbol:Name: what source files declare
	Headings Kind = "heading" // path#heading:name: the sections of documents
)

// prefix returns the text that begins the names of parts, before their words.
func (k Kind) prefix() string {
	switch k {
	case API, Symbols:
		return "symbol:"
	case Headings:
		return "heading:"
	case Keys:
	}
	return ""
}

// part matches parts of files by their names: of a key its pointer, of a symbol "symbol:" and its
// name, of a section "heading:" and its id or text.
type part struct {
	kind    Kind
	source  string   // all that is after "#"
	at      int      // offset of source in the pattern
	pattern *Pattern // of the path that segmentsOf makes of a name
}

// Names of parts as segments of paths: NUL, which no path and hardly a name has, stands for "/"
// in a name, and two begin a name that is no legal segment: an empty one, "." and "..". A symbol
// or a section is one segment, a key one for each step.
const (
	slashInName = "\x00"
	marked      = "\x00\x00"
)

var (
	unescapePointer = strings.NewReplacer("~0", "~", "~1", slashInName)
	escapePointer   = strings.NewReplacer("~", "~0", marked, "", slashInName, "~1")
	plainName       = strings.NewReplacer(marked, "", slashInName, "/")
	plainQuoted     = strings.NewReplacer(`\x00\x00`, "", `\x00`, "~1", marked, "", slashInName, "~1")
)

// plain returns captured text without the form that names of parts have as segments.
func plain(text string) string {
	if strings.IndexByte(text, slashInName[0]) < 0 {
		return text // as all captures of paths
	}
	return plainName.Replace(text)
}

// Plain returns captures as they are shown: with the names of parts as they are in the file.
func (c Captures) Plain() Captures {
	var shown Captures
	for name, text := range c {
		if p := plain(text); p != text {
			if shown == nil {
				shown = maps.Clone(c)
			}
			shown[name] = p
		}
	}
	if shown == nil {
		return c
	}
	return shown
}

// CompilePart compiles a pattern of files, or one of parts of files: after "#", a pattern of what
// is in the files that the pattern before it matches. That is a pointer to keys, in which "*" is
// one key and "**" any number of them, and "~0" and "~1" are the characters "~" and "/"; or
// "api", "symbol:" and a name, or "heading:" and a name. Errors are of type *Error.
func CompilePart(source string) (*Pattern, error) {
	at, braces := hash(source)
	switch {
	case at < 0:
		return Compile(source)
	case braces >= 0:
		return nil, newError(source, "key_in_braces", at, `"#" inside the braces of %s; want the key after the whole path, or "\#" for the character`, quote(source[braces:]))
	case at == 0:
		return nil, newError(source, "key_without_path", 0, `%s has no path; want one before the key, such as "package.json%s", or "\#" for the character`, quote(source), source)
	}
	k, err := compileName(source, at+1)
	if err != nil {
		return nil, err
	}
	p, err := Compile(source[:at])
	if err != nil {
		return nil, err
	}
	p.source, p.part = source, k
	if err := p.checkPartCaptures(); err != nil {
		return nil, err
	}
	return p, nil
}

// PartAt returns the offset of the "#" at which a part of files begins in a pattern, or -1.
func PartAt(source string) int {
	at, _ := hash(source)
	return at
}

// hash returns the offset of the first "#" that is not escaped, or -1, and that of the braces
// it is in, or -1.
func hash(source string) (at, braces int) {
	braces = -1
	in := classes{text: source}
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '[':
			if end := in.end(i); end >= 0 {
				i = end - 1
			}
		case '{':
			braces = i
		case '}':
			braces = -1
		case '#':
			return i, braces
		}
	}
	return -1, -1
}

// compileName compiles the pattern of parts at an offset of source.
func compileName(source string, at int) (*part, error) {
	k := &part{source: source[at:], at: at}
	path, name := source[:at-1], k.source
	switch {
	case strings.HasPrefix(name, "/") && name != "/":
		k.kind = Keys
	case name == "api":
		k.kind, name = API, "symbol:*"
	case strings.HasPrefix(name, Symbols.prefix()):
		k.kind = Symbols
	case strings.HasPrefix(name, Headings.prefix()):
		k.kind = Headings
	case name == "" || name == "/":
		return nil, newError(source, "empty_key", at-1, `%s has no key after "#"; want one such as %s, %s for any, or "\#" for the character`,
			quote(source), quote(path+"#/version"), quote(path+"#/**"))
	default:
		return nil, newError(source, "unknown_part", at, `%s names no part of a file; want the key %s, or "api", "symbol:NAME" or "heading:NAME", or "\#" for the character`,
			quote(name), quote("/"+strings.ReplaceAll(name, ".", "/")))
	}
	if name == k.kind.prefix() {
		return nil, newError(source, "empty_part", at, `%s has no name; want one such as %s for any`, quote(name), quote(name+"*"))
	}
	for i := range len(name) {
		if k.kind == Keys && name[i] == '~' && (i+1 == len(name) || name[i+1] != '0' && name[i+1] != '1') {
			return nil, newError(source, "bad_pointer_escape", at+i, `"~" before neither "0" nor "1" in the key %s; want "~0" for "~", "~1" for "/"`, quote(name))
		}
	}
	p, err := compile(k.kind.segmentsOf(name), true)
	if err != nil {
		e := err.(*Error) //nolint:errorlint,forcetypeassert // compile returns no other
		return nil, newError(source, e.Code, k.offset(e.Offset), "in the %s %s: %s", k.kind, quote(strings.TrimPrefix(name, k.kind.prefix())), plainQuoted.Replace(e.Message))
	}
	for _, t := range p.tokens {
		if t.kind == capture && strings.Trim(t.source, "{*}") == "" {
			return nil, newError(source, "unnamed_capture_in_key", k.offset(t.offset), `%s in a %s has no name; want one such as %s, or %s to capture nothing`,
				quote(t.source), k.kind, quote(strings.Replace(t.source, "}", string(k.kind)+"}", 1)), quote(strings.Trim(t.source, "{}")))
		}
	}
	k.pattern = p
	return k, nil
}

// offset returns where in the pattern an offset of the path that stands for the name is.
func (k *part) offset(inside int) int {
	prefix := k.kind.prefix()
	if k.kind != Keys {
		return k.at + len(prefix) + inside
	}
	segments := k.kind.segmentsOf(k.source)
	before := segments[:min(inside, len(segments))]
	marks := strings.Count(before, marked)
	return k.at + 1 + len(before) - len(marked)*marks + strings.Count(before, slashInName) - len(marked)*marks + strings.Count(before, "~")
}

// checkPartCaptures checks that a name that the path and the part capture extends equally far.
func (p *Pattern) checkPartCaptures() error {
	for _, v := range p.part.pattern.variables {
		slot := slotOf(p.variables, v.Name)
		if slot < 0 || p.variables[slot].Multi == v.Multi {
			continue
		}
		first, second := p.placeholder(v.Name), p.part.pattern.placeholder(v.Name)
		return newError(p.source, "conflicting_modifiers", p.part.offset(second.offset),
			"%s and %s use the same name in different ways; want %s both times, or two names", quote(first.source), quote(second.source), quote(first.source))
	}
	return nil
}

// everyToken returns the tokens of the path and of the part.
func (p *Pattern) everyToken() []token {
	if p.part == nil {
		return p.tokens
	}
	return slices.Concat(p.tokens, p.part.pattern.tokens)
}

// captured returns the names that the path and the part capture, in order of appearance.
func (p *Pattern) captured() []Variable {
	if p.part == nil {
		return p.variables
	}
	list := slices.Clone(p.variables)
	for _, v := range p.part.pattern.variables {
		if slotOf(list, v.Name) < 0 {
			list = append(list, v)
		}
	}
	return list
}

// segmentsOf returns the path that stands for the name of a part, or for a pattern of names.
func (k Kind) segmentsOf(name string) string {
	if k != Keys {
		return segment(strings.ReplaceAll(strings.TrimPrefix(name, k.prefix()), "/", slashInName))
	}
	if !strings.HasSuffix(name, "/") && !strings.Contains(name, "//") && !strings.Contains(name, "/.") && !strings.Contains(name, "~") {
		return strings.TrimPrefix(name, "/")
	}
	names := strings.Split(strings.TrimPrefix(name, "/"), "/")
	for i, name := range names {
		names[i] = segment(unescapePointer.Replace(name))
	}
	return strings.Join(names, "/")
}

// segment marks a name that would be no legal segment of a path.
func segment(name string) string {
	if name == "" || name == "." || name == ".." {
		return marked + name
	}
	return name
}

// nameOf undoes segmentsOf.
func (k Kind) nameOf(segments string) string {
	if k == Keys {
		return "/" + escapePointer.Replace(segments)
	}
	return k.prefix() + plain(segments)
}

// named returns captures as the pattern of a part takes them: "/" in a text is no step of a
// symbol or a section.
func (k Kind) named(c Captures) Captures {
	if k == Keys {
		return c
	}
	named := make(Captures, len(c))
	for name, text := range c {
		named[name] = segment(strings.ReplaceAll(plain(text), "/", slashInName))
	}
	return named
}

// FilePath returns the one path that a pattern of parts or files can match; it is not ok if
// anything but text remains.
func (p *Pattern) FilePath() (path string, ok bool) {
	if !only(p.tokens, literal, slash) {
		return "", false
	}
	return p.branches[0].prefix, true
}

// HasPart reports whether a pattern is of parts of files.
func (p *Pattern) HasPart() bool { return p.part != nil }

// PartKind returns the kind of the parts that a pattern is of; empty: it is of files.
func (p *Pattern) PartKind() Kind {
	if p.part == nil {
		return ""
	}
	return p.part.kind
}

// CapturesPart reports whether a pattern captures in its part after "#".
func (p *Pattern) CapturesPart() bool { return p.part != nil && len(p.part.pattern.variables) > 0 }

// Parts matches the names of parts of one file.
type Parts struct {
	kind    Kind
	pattern *Pattern
	path    Captures
}

// Parts returns what matches the parts of a file whose path binds c: a name that the path and
// the part capture is the same text in both.
func (p *Pattern) Parts(c Captures) Parts {
	bound := p.part.pattern
	if slices.ContainsFunc(bound.variables, func(v Variable) bool { _, ok := c[v.Name]; return ok }) {
		bound = bound.bind(p.part.kind.named(c))
	}
	return Parts{p.part.kind, bound, c}
}

// Match reports whether the name of a part matches, and returns the captures of path and part.
func (k Parts) Match(name string) (Captures, bool) {
	c, ok := k.pattern.Match(k.kind.segmentsOf(name))
	switch {
	case !ok || len(c) == 0:
		return k.path, ok
	case len(k.path) > 0:
		maps.Copy(c, k.path)
	}
	return c, true
}

// Name returns the only name that can match; it is not ok if anything but text remains.
func (k Parts) Name() (name string, ok bool) {
	if !only(k.pattern.tokens, literal, slash) {
		return "", false
	}
	return k.kind.nameOf(k.pattern.branches[0].prefix), true
}

// PartLiteralBytes counts the bytes of literal text in the part, as LiteralBytes does in the path.
func (p *Pattern) PartLiteralBytes(name string) int {
	return p.part.pattern.LiteralBytes(p.part.kind.segmentsOf(name))
}

// Suffixes returns the literal text at the end of each alternative of the path; of one
// without wildcards, all of it.
func (p *Pattern) Suffixes() []string {
	list := make([]string, 0, len(p.branches))
	for i := range p.branches {
		if b := &p.branches[i]; len(b.ops) == 0 {
			list = append(list, b.prefix)
		} else {
			list = append(list, b.suffix)
		}
	}
	return list
}
