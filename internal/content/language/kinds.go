package language

import (
	"slices"
	"strings"
)

// The parts of a file that a rule may ignore.
const (
	Comments   = "comments"
	Docstrings = "docstrings"
	Imports    = "imports"
	Whitespace = "whitespace"
	Generated  = "generated"
)

// Kinds returns the names of the parts of a file that a rule may ignore.
func Kinds() []string { return []string{Comments, Docstrings, Imports, Whitespace, Generated} }

// PartsOf returns the parts of a text that some names mean. Generated is not a part: it
// is a property of the whole file.
func PartsOf(names []string) Parts {
	return Parts{
		Comments:   slices.Contains(names, Comments),
		Docstrings: slices.Contains(names, Docstrings),
		Imports:    slices.Contains(names, Imports),
		Space:      slices.Contains(names, Whitespace),
	}
}

// SameBut reports whether two versions of a file differ in nothing but parts that do not count.
// Files that are equal, or whose parts cannot be recognized, do not.
func SameBut(name, before, after string, parts Parts) bool {
	if before == after || parts == (Parts{}) {
		return false
	}
	was, ok := Significant(name, before, parts)
	if !ok {
		return false
	}
	is, ok := Significant(name, after, parts)
	return ok && was == is
}

// Explain returns which of some parts are known in a file, and why the others are not.
func Explain(name string, kinds []string) string {
	k := KnownOf(name)
	known := map[string]bool{Comments: k.Comments, Docstrings: k.Docstrings || k.Comments, Imports: k.Imports, Whitespace: true, Generated: true}
	var read, unread []string
	for _, kind := range kinds {
		if known[kind] {
			read = append(read, kind)
		} else {
			unread = append(unread, kind)
		}
	}
	text := strings.Join(read, ", ")
	if text == "" {
		text = "nothing"
	}
	switch {
	case len(unread) == 0:
		return text
	case k.Title == "":
		return text + "; not " + strings.Join(unread, ", ") + ": the language of the file is not known"
	default:
		return text + "; not " + strings.Join(unread, ", ") + ": they are not told apart in " + k.Title
	}
}

// Row is a language that can be read strictly.
type Row struct {
	Known

	Files []string // extensions, and whole names
}

// Table returns the languages that can be read strictly, in the order of the table.
func Table() []Row {
	var list []Row
	for _, l := range languages {
		if l.exact == nil {
			continue
		}
		list = append(list, Row{l.known(), strings.Fields(l.names)})
	}
	return list
}
