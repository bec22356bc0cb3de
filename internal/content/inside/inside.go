// Package inside reads the parts of files: keys, symbols and sections, by the names of the files.
package inside

import (
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Document holds the parts of one kind in a file.
type Document interface {
	// Has reports whether a part has a name, as [part.Change] writes it.
	Has(name string) bool
	// HasAny reports whether a part has a name that matches.
	HasAny(match func(name string) bool) bool
}

// Source reads parts of one kind.
type Source struct {
	Kind pattern.Kind
	What string // the parts, for messages: "keys"

	covers  func(name string) bool
	names   func() string
	read    func(ctx context.Context, name, before, text string) (Document, error)
	changed func(base, head Document) ([]part.Change, error)
	join    func(files []Both) // nil: no part moves from file to file
	open    func(name string)  // begins to load what read needs; nil: nothing
}

// Of returns the source of a kind. It is a function, so that a start pays for none of them.
func Of(kind pattern.Kind) Source {
	switch kind {
	case pattern.API:
		return ofSymbols(kind, symbol.Exported)
	case pattern.Symbols:
		return ofSymbols(kind, func(all []symbol.Symbol) []symbol.Symbol { return all })
	case pattern.Headings:
		return Source{
			Kind: kind, What: "sections", read: readHeadings, changed: changedSections,
			covers: isMarkdown, names: func() string { return strings.Join(markdownExtensions, ", ") },
		}
	case pattern.Keys:
	}
	return Source{
		Kind: pattern.Keys, What: "keys", names: keys.Names,
		covers: func(name string) bool { _, ok := keys.FormatOf(name); return ok },
		read: func(_ context.Context, name, _, text string) (Document, error) {
			d, err := keys.Parse(name, text)
			d.Index()
			return d, err
		},
		changed: func(base, head Document) ([]part.Change, error) {
			was, _ := base.(keys.Document)
			is, _ := head.(keys.Document)
			return keys.Changed(was, is)
		},
	}
}

// Match matches one of the names of a part that changed.
func Match(parts pattern.Parts, c *part.Change) (captures pattern.Captures, ok bool) {
	if captures, ok = parts.Match(c.Name); !ok && c.Also != "" {
		return parts.Match(c.Also)
	}
	return captures, ok
}

// Covers reports whether files of a name, or of names that end so, have such parts.
func (s Source) Covers(name string) bool { return s.covers(name) }

// Names lists the names of such files, for messages.
func (s Source) Names() string { return s.names() }
