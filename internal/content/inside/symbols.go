package inside

import (
	"context"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Symbols are the symbols of a file.
type Symbols struct {
	part.List

	All []symbol.Symbol
}

func newSymbols(all []symbol.Symbol) Symbols { return Symbols{part.NewList(symbol.Parts(all)), all} }

func ofSymbols(kind pattern.Kind, which func([]symbol.Symbol) []symbol.Symbol) Source {
	return Source{
		Kind: kind, What: "symbols", names: languages.Names, join: joinMoved, open: openLanguage,
		covers: func(name string) bool { _, ok := languages.Of(name); return ok },
		read: func(ctx context.Context, name, before, text string) (Document, error) {
			symbols, err := languages.ReadAfter(ctx, name, before, text)
			return newSymbols(which(symbols)), err
		},
		changed: func(base, head Document) ([]part.Change, error) { return changedSymbols(base, head), nil },
	}
}

// openLanguage begins to load what reads the files with a name.
func openLanguage(name string) {
	if l, _ := languages.Of(name); l.Open != nil {
		go l.Open()
	}
}

func changedSymbols(base, head Document) []part.Change {
	return part.Changed(symbolsOf(base).List, symbolsOf(head).List)
}

func symbolsOf(d Document) Symbols {
	s, _ := d.(Symbols)
	return s
}

// Symbols returns the symbols of a file on both sides.
func (b *Both) Symbols() (base, head []symbol.Symbol) {
	return symbolsOf(b.Base).All, symbolsOf(b.Head).All
}

// symbolIn is the name of a symbol in a directory, in one language.
type symbolIn struct{ language, dir, name string }

// joinMoved compares a symbol that moved from one of the files to another of its directory with
// itself, where the files of a directory are one package.
func joinMoved(files []Both) {
	set := func(b *Both, base []symbol.Symbol) {
		b.Base = newSymbols(base)
		b.Changed = changedSymbols(b.Base, b.Head)
	}
	gone := map[symbolIn][]symbol.Symbol{}
	for i := range files {
		base, head := files[i].Symbols()
		for at, list := range only(files[i].OldPath, base, head) {
			gone[at] = append(gone[at], list...)
		}
	}
	if len(gone) == 0 {
		return
	}
	moved := map[symbolIn]bool{}
	for i := range files {
		base, head := files[i].Symbols()
		joined := base
		for at := range only(files[i].Path, head, base) {
			if gone[at] != nil {
				moved[at] = true
				joined = slices.Concat(joined, gone[at])
			}
		}
		if len(joined) > len(base) {
			set(&files[i], joined)
		}
	}
	for i := range files {
		base, head := files[i].Symbols()
		left := base
		for at := range only(files[i].OldPath, base, head) {
			if moved[at] {
				left = slices.DeleteFunc(slices.Clone(left), func(s symbol.Symbol) bool { return s.Name == at.name })
			}
		}
		if len(left) < len(base) {
			set(&files[i], left)
		}
	}
}

// only returns the symbols of a file that others do not have, where the files of a directory are
// one package.
func only(name string, symbols, others []symbol.Symbol) map[symbolIn][]symbol.Symbol {
	l, _ := languages.Of(name)
	if !l.Package || len(symbols) == 0 {
		return nil
	}
	other := make(map[string]bool, len(others))
	for _, s := range others {
		other[s.Name] = true
	}
	found := map[symbolIn][]symbol.Symbol{}
	for _, s := range symbols {
		if at := (symbolIn{l.Name, path.Dir(name), s.Name}); !other[s.Name] {
			found[at] = append(found[at], s)
		}
	}
	return found
}
