package gitfile

import "strings"

// Attributes are the lines of files of attributes that name one attribute, see
// https://git-scm.com/docs/gitattributes. Macros are not followed.
type Attributes struct {
	name  string
	lines []attributeLine // by depth of the file, then in its order
}

// attributeLine is a pattern, and whether it sets the attribute.
type attributeLine struct {
	ignorePattern

	below string // the directory of the file, with a final slash; empty: the top
	set   bool
}

// NewAttributes returns no line that names an attribute.
func NewAttributes(name string) *Attributes { return &Attributes{name: name} }

// Add adds the file of a directory, named with a final slash; empty: the top. Files of deeper
// directories come later.
func (a *Attributes) Add(dir, text string) error {
	for line := range strings.Lines(strings.TrimPrefix(text, "\xef\xbb\xbf")) {
		words := strings.Fields(line)
		if len(words) < 2 || strings.HasPrefix(words[0], "#") || strings.HasPrefix(words[0], "[attr]") {
			continue
		}
		named, set := a.valueIn(words[1:])
		if !named {
			continue
		}
		pattern := words[0]
		if strings.HasPrefix(pattern, `"`) || strings.HasPrefix(pattern, "!") || strings.HasSuffix(pattern, "/") {
			continue // quoted names have no generated files; git forbids the others, or they match no file
		}
		patterns, err := parseIgnore(pattern)
		if err != nil {
			return err
		}
		for _, p := range patterns {
			a.lines = append(a.lines, attributeLine{p, dir, set})
		}
	}
	return nil
}

// valueIn returns whether words name the attribute, and whether the last that does sets it.
func (a *Attributes) valueIn(words []string) (named, set bool) {
	for _, w := range words {
		name, value, valued := strings.Cut(strings.TrimLeft(w, "-!"), "=")
		if name == a.name {
			named, set = true, w[0] != '-' && w[0] != '!' && (!valued || value != "false" && value != "0")
		}
	}
	return named, set
}

// Set reports whether a path has the attribute.
func (a *Attributes) Set(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(a.lines) - 1; i >= 0; i-- {
		l := &a.lines[i]
		if strings.HasPrefix(path, l.below) && (l.base && l.matchesName(name) || !l.base && l.matchesPath(path[len(l.below):])) {
			return l.set
		}
	}
	return false
}
