// Package keys reads the keys of structured files with their places, and lists those whose
// values differ between two versions of a file. Layout, comments and the order of keys are
// not part of a value.
package keys

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// Format is a format of files with keys.
type Format struct {
	Name       string
	Extensions []string // of files, with the dot
	Files      []string // names of files without such an extension

	parse func(s *source) ([]*node, error) // the documents of a file
}

// formats is the table of all formats.
var formats = []Format{
	{"JSON", []string{".json", ".jsonc", ".webmanifest", ".ipynb"}, []string{"composer.lock", "deno.lock", "flake.lock", "Pipfile.lock"}, parseJSON},
	{"YAML", []string{".yaml", ".yml"}, []string{"pubspec.lock"}, parseYAML},
	{"TOML", []string{".toml"}, []string{"Cargo.lock", "Pipfile", "pdm.lock", "poetry.lock", "uv.lock"}, parseTOML},
	{"go.mod", nil, []string{"go.mod"}, parseGoMod},
}

// Formats lists all formats.
func Formats() []Format { return slices.Clone(formats) }

// FormatOf returns the format of the files with a name.
func FormatOf(name string) (Format, bool) {
	base := path.Base(name)
	i := slices.IndexFunc(formats, func(f Format) bool {
		return slices.Contains(f.Files, base) || slices.Contains(f.Extensions, path.Ext(base))
	})
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Names lists the extensions and names of files with keys, for messages.
func Names() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Extensions...)
	}
	return strings.Join(append(names, "go.mod"), ", ") + " or a lock file in one of these formats"
}

// Document holds the keys of a file. The zero value is that of a file that does not exist.
type Document struct{ roots []*node }

// Parse reads a file by the format that its name has. Errors are of type *part.Error.
func Parse(name, text string) (d Document, err error) {
	format, ok := FormatOf(name)
	if !ok {
		return d, &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "no format has this name; want " + Names()}
	}
	s := newSource(text)
	if at := invalidByte(s.text); at >= 0 {
		return d, &part.Error{Place: s.place(at), Message: "the file is not UTF-8 text"}
	}
	defer func() {
		if recover() != nil { // a parser met what its authors did not expect
			d, err = Document{}, &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as " + format.Name}
		}
	}()
	d.roots, err = format.parse(s)
	return d, err
}

// invalidByte returns the offset of the first byte that is not UTF-8, or -1.
func invalidByte(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
			return i
		}
	}
	return -1
}
