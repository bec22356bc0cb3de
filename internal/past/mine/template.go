package mine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// template is a path pattern with up to three captures: {**root}, a number of leading
// directories, or none; {**path}, a number of trailing ones, or none; and {name}, a part of the
// file's name.
// All fields are parts of paths, so that templates compare without being written.
type template struct {
	root  rootKind
	path  bool   // {**path} is the last directory
	name  bool   // {name} is between pre and post
	first string // the first directory, before {**root}
	mid   string // the directories between the captures; all of them without captures
	pre   string // the file's name; before {name}
	post  string // after {name}
}

// rootKind is how a template begins.
type rootKind uint8

const (
	noRoot   rootKind = iota
	anyRoot           // {**root}
	rootedAt          // first/{**root}
)

// captures holds the parts of a path that a template captures.
type captures struct{ root, path, name string }

// literal reports whether the template captures nothing.
func (t template) literal() bool { return t.root == noRoot && !t.path && !t.name }

// String writes the template as a pattern of the rule language.
func (t template) String() string {
	name := t.pre + t.post
	if t.name {
		name = t.pre + "{name}" + t.post
	}
	return join(t.first, when(t.root != noRoot, "{**root}"), t.mid, when(t.path, "{**path}"), name)
}

// expand returns the path of a template with its captures filled in.
func (t template) expand(c captures) string {
	return join(t.first, when(t.root != noRoot, c.root), t.mid, when(t.path, c.path), t.pre+when(t.name, c.name)+t.post)
}

func when(b bool, text string) string {
	if b {
		return text
	}
	return ""
}

// join joins the parts of a path that are not empty.
func join(parts ...string) string {
	n := 0
	for _, p := range parts {
		n += len(p) + 1
	}
	var b strings.Builder
	b.Grow(n)
	for _, p := range parts {
		if p != "" {
			if b.Len() > 0 {
				b.WriteByte('/')
			}
			b.WriteString(p)
		}
	}
	return b.String()
}

// literals counts the bytes that a template does not capture of a path that it matches.
func (t template) literals(path string, c captures) int {
	return len(path) - len(c.root) - len(c.path) - len(c.name)
}

// match returns the captures of a path, as the rule language binds them: greedily from the
// left.
func (t template) match(path string) (captures, bool) {
	dir, base := split(path)
	name, ok := t.matchName(base)
	if !ok {
		return captures{}, false
	}
	root, rest, ok := t.matchDirs(dir)
	return captures{root, rest, name}, ok
}

func (t template) matchesName(base string) bool {
	_, ok := t.matchName(base)
	return ok
}

func (t template) matchName(base string) (name string, ok bool) {
	if !t.name {
		return "", base == t.pre
	}
	if len(base) <= len(t.pre)+len(t.post) || !strings.HasPrefix(base, t.pre) || !strings.HasSuffix(base, t.post) {
		return "", false
	}
	return base[len(t.pre) : len(base)-len(t.post)], true
}

// matchDirs returns what a directory captures. As in the rule language, a capture is empty only
// if the directory does not match otherwise, and the last one first.
func (t template) matchDirs(dir string) (root, rest string, ok bool) {
	if t.root == rootedAt {
		if dir, ok = below(dir, t.first); !ok {
			return "", "", false
		}
	}
	last, found := "", false // the longest root below which {**path} is empty
	if t.root == noRoot {
		rest, ok = below(dir, t.mid)
		return "", rest, ok && (t.path || rest == "")
	}
	for end := len(dir); end > 0; end = strings.LastIndexByte(dir[:end], '/') {
		rest, ok = below(strings.TrimPrefix(dir[end:], "/"), t.mid)
		switch {
		case !ok:
		case t.path && rest != "", !t.path && rest == "":
			return dir[:end], rest, true
		case t.path && !found:
			last, found = dir[:end], true
		}
	}
	if found {
		return last, "", true
	}
	rest, ok = below(dir, t.mid)
	return "", rest, ok && (t.path || rest == "")
}

// below returns the rest of a directory below another one; it may be empty.
func below(dir, parent string) (rest string, ok bool) {
	if parent == "" {
		return dir, true
	}
	rest, ok = strings.CutPrefix(dir, parent)
	if !ok || rest == "" {
		return "", ok
	}
	return strings.CutPrefix(rest, "/")
}

// split returns the directory of a path and the name in it.
func split(path string) (dir, base string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// plain reports whether a path can be part of a pattern and of an example as it is. Of
// others no rule is made.
func plain(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsAny(path, "*?[]{}\\!#,\"' ") && !strings.ContainsFunc(path, unicode.IsControl) &&
		!strings.Contains(path, "->")
}
