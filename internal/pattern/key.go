package pattern

import "strings"

// key matches the keys of files by their pointers (RFC 6901).
type key struct {
	source  string   // with the "/" at the beginning
	pattern *Pattern // of the pointer without it, as markedPointer returns it
}

// Names of keys that are not legal segments of paths begin with this byte, which names of keys
// hardly have: empty ones, "." and "..".
const marked = "\x01"

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
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '[':
			if end := classEnd(source, i); end >= 0 {
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
	p, err := compile(markedPointer(pointer), true)
	if err != nil {
		e := err.(*Error) //nolint:errorlint,forcetypeassert // compile returns no other
		inside := min(e.Offset, len(markedPointer(pointer)))
		before := markedPointer(pointer)[:inside]
		return nil, newError(source, e.Code, at+1+inside-strings.Count(before, marked), "in the key %s: %s", quote(pointer), strings.NewReplacer(marked, "", `\x01`, "").Replace(e.Message))
	}
	if len(p.variables) > 0 {
		t := p.placeholder(p.variables[0].Name)
		return nil, newError(source, "capture_in_key", at+1+t.offset, `the key captures %s; want "*" or "**" in keys, and captures in the path`, quote(t.source))
	}
	return &key{pointer, p}, nil
}

// markedPointer returns a pointer without its first "/", as the path that stands for it.
func markedPointer(pointer string) string {
	if !strings.HasSuffix(pointer, "/") && !strings.Contains(pointer, "//") && !strings.Contains(pointer, "/.") {
		return strings.TrimPrefix(pointer, "/")
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
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

// MatchKey reports whether a pattern of keys matches a pointer. Whether it matches the file is
// up to Match.
func (p *Pattern) MatchKey(pointer string) bool {
	_, ok := p.key.pattern.Match(markedPointer(pointer))
	return ok
}

// KeyLiteralBytes counts the bytes of literal text in the key, as LiteralBytes does in the path.
func (p *Pattern) KeyLiteralBytes(pointer string) int {
	return p.key.pattern.LiteralBytes(markedPointer(pointer))
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
