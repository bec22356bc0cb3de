package pattern

import (
	"maps"
	"slices"
	"strings"
)

// key matches the keys of files by their pointers (RFC 6901).
type key struct {
	source  string   // with the "/" at the beginning
	at      int      // offset of source in the pattern
	pattern *Pattern // of the pointer without the "/", as segmentsOf returns it
}

// Names of keys as segments of paths: NUL, which no path and hardly a name has, stands for "/"
// in a name, and two begin a name that is no legal segment: an empty one, "." and "..".
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

// plain returns captured text without the form that names of keys have as segments.
func plain(text string) string {
	if strings.IndexByte(text, slashInName[0]) < 0 {
		return text // as all captures of paths
	}
	return plainName.Replace(text)
}

// Plain returns captures as they are shown: with the names of keys as they are in the file.
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

// CompileKey compiles a pattern of files, or one of keys: after "#", a pattern of pointers to
// keys in the files that the pattern before it matches. In the pointer, "*" is one key and
// "**" any number of them; "~0" and "~1" are the characters "~" and "/". Errors are of type
// *Error.
func CompileKey(source string) (*Pattern, error) {
	at, braces := hash(source)
	switch {
	case at < 0:
		return Compile(source)
	case braces >= 0:
		return nil, newError(source, "key_in_braces", at, `"#" inside the braces of %s; want the key after the whole path, or "\#" for the character`, quote(source[braces:]))
	}
	path, pointer := source[:at], source[at+1:]
	switch {
	case path == "":
		return nil, newError(source, "key_without_path", 0, `%s has no path; want one before the key, such as "package.json%s", or "\#" for the character`, quote(source), source)
	case pointer == "" || pointer == "/":
		return nil, newError(source, "empty_key", at, `%s has no key after "#"; want one such as %s, %s for any, or "\#" for the character`,
			quote(source), quote(path+"#/version"), quote(path+"#/**"))
	case pointer[0] != '/':
		return nil, newError(source, "key_without_slash", at+1, `the key %s does not begin with "/"; want %s, or "\#" for the character`,
			quote(pointer), quote(path+"#/"+strings.ReplaceAll(pointer, ".", "/")))
	}
	p, err := Compile(path)
	if err != nil {
		return nil, err
	}
	k, err := compilePointer(source, at+1)
	if err != nil {
		return nil, err
	}
	p.source, p.key = source, k
	if err := p.checkKeyCaptures(); err != nil {
		return nil, err
	}
	return p, nil
}

// KeyAt returns the offset of the "#" at which a key begins in a pattern, or -1.
func KeyAt(source string) int {
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

// compilePointer compiles the pointer at an offset of source.
func compilePointer(source string, at int) (*key, error) {
	pointer := source[at:]
	for i := range len(pointer) {
		if pointer[i] == '~' && (i+1 == len(pointer) || pointer[i+1] != '0' && pointer[i+1] != '1') {
			return nil, newError(source, "bad_pointer_escape", at+i, `"~" before neither "0" nor "1" in the key %s; want "~0" for "~", "~1" for "/"`, quote(pointer))
		}
	}
	k := &key{source: pointer, at: at}
	p, err := compile(segmentsOf(pointer), true)
	if err != nil {
		e := err.(*Error) //nolint:errorlint,forcetypeassert // compile returns no other
		return nil, newError(source, e.Code, k.offset(e.Offset), "in the key %s: %s", quote(pointer), plainQuoted.Replace(e.Message))
	}
	for _, t := range p.tokens {
		if t.kind == capture && strings.Trim(t.source, "{*}") == "" {
			return nil, newError(source, "unnamed_capture_in_key", k.offset(t.offset), `%s in a key has no name; want one such as %s, or %s to capture nothing`,
				quote(t.source), quote(strings.Replace(t.source, "}", "key}", 1)), quote(strings.Trim(t.source, "{}")))
		}
	}
	k.pattern = p
	return k, nil
}

// offset returns where in the pattern an offset of the path that stands for the pointer is.
func (k *key) offset(inside int) int {
	segments := segmentsOf(k.source)
	before := segments[:min(inside, len(segments))]
	marks := strings.Count(before, marked)
	return k.at + 1 + len(before) - len(marked)*marks + strings.Count(before, slashInName) - len(marked)*marks + strings.Count(before, "~")
}

// checkKeyCaptures checks that a name that the path and the key capture extends equally far.
func (p *Pattern) checkKeyCaptures() error {
	for _, v := range p.key.pattern.variables {
		slot := slotOf(p.variables, v.Name)
		if slot < 0 || p.variables[slot].Multi == v.Multi {
			continue
		}
		first, second := p.placeholder(v.Name), p.key.pattern.placeholder(v.Name)
		return newError(p.source, "conflicting_modifiers", p.key.offset(second.offset),
			"%s and %s use the same name in different ways; want %s both times, or two names", quote(first.source), quote(second.source), quote(first.source))
	}
	return nil
}

// everyToken returns the tokens of the path and of the key.
func (p *Pattern) everyToken() []token {
	if p.key == nil {
		return p.tokens
	}
	return slices.Concat(p.tokens, p.key.pattern.tokens)
}

// captured returns the names that the path and the key capture, in order of appearance.
func (p *Pattern) captured() []Variable {
	if p.key == nil {
		return p.variables
	}
	list := slices.Clone(p.variables)
	for _, v := range p.key.pattern.variables {
		if slotOf(list, v.Name) < 0 {
			list = append(list, v)
		}
	}
	return list
}

// segmentsOf returns the path that stands for a pointer, or for a pattern of pointers.
func segmentsOf(pointer string) string {
	if !strings.HasSuffix(pointer, "/") && !strings.Contains(pointer, "//") && !strings.Contains(pointer, "/.") && !strings.Contains(pointer, "~") {
		return strings.TrimPrefix(pointer, "/")
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		name = unescapePointer.Replace(name)
		names[i] = name
		if name == "" || name == "." || name == ".." {
			names[i] = marked + name
		}
	}
	return strings.Join(names, "/")
}

// FilePath returns the one path that a pattern of keys or files can match; it is not ok if
// anything but text remains.
func (p *Pattern) FilePath() (path string, ok bool) {
	if !only(p.tokens, literal, slash) {
		return "", false
	}
	return p.branches[0].prefix, true
}

// HasKey reports whether a pattern is of keys.
func (p *Pattern) HasKey() bool { return p.key != nil }

// CapturesKeys reports whether a pattern captures in its key.
func (p *Pattern) CapturesKeys() bool { return p.key != nil && len(p.key.pattern.variables) > 0 }

// Keys matches the pointers of keys in one file.
type Keys struct {
	pattern *Pattern
	path    Captures
}

// Keys returns what matches the keys of a file whose path binds c: a name that the path and
// the key capture is the same text in both.
func (p *Pattern) Keys(c Captures) Keys {
	bound := p.key.pattern
	if slices.ContainsFunc(bound.variables, func(v Variable) bool { _, ok := c[v.Name]; return ok }) {
		bound = bound.bind(c)
	}
	return Keys{bound, c}
}

// Match reports whether a pointer matches, and returns the captures of path and key.
func (k Keys) Match(pointer string) (Captures, bool) {
	c, ok := k.pattern.Match(segmentsOf(pointer))
	switch {
	case !ok || len(c) == 0:
		return k.path, ok
	case len(k.path) > 0:
		maps.Copy(c, k.path)
	}
	return c, true
}

// Pointer returns the only pointer that can match; it is not ok if anything but text remains.
func (k Keys) Pointer() (pointer string, ok bool) {
	if !only(k.pattern.tokens, literal, slash) {
		return "", false
	}
	return pointerOf(k.pattern.branches[0].prefix), true
}

// pointerOf undoes segmentsOf.
func pointerOf(segments string) string { return "/" + escapePointer.Replace(segments) }

// KeyLiteralBytes counts the bytes of literal text in the key, as LiteralBytes does in the path.
func (p *Pattern) KeyLiteralBytes(pointer string) int {
	return p.key.pattern.LiteralBytes(segmentsOf(pointer))
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
