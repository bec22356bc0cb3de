// Package languages is the table of the languages whose symbols are known.
package languages

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/cpp"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/golang"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/graphql"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/openapi"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/protobuf"
)

// all is the table of all languages.
var all = append([]symbol.Language{
	golang.Language,
	protobuf.Language,
	graphql.Language,
	openapi.Language,
	cpp.C,
	cpp.CPlusPlus,
}, readers(grammars)...)

// All lists all languages.
func All() []symbol.Language { return slices.Clone(all) }

// Of returns the language of the files with a name.
func Of(name string) (symbol.Language, bool) {
	i := slices.IndexFunc(all, func(l symbol.Language) bool { return slices.Contains(l.Extensions, path.Ext(name)) })
	if i < 0 {
		return symbol.Language{}, false
	}
	return all[i], true
}

// Names lists the extensions of the languages, for messages.
func Names() string {
	var names []string
	for _, l := range all {
		names = append(names, l.Extensions...)
	}
	return strings.Join(names, ", ")
}

// Read reads the symbols of a file in the order of the file. Errors about its text are of type
// *part.Error.
func Read(ctx context.Context, name, text string) ([]symbol.Symbol, error) {
	return ReadAfter(ctx, name, "", text)
}

// ReadAfter returns what Read returns, perhaps in less time, for a text that is an edited version of the
// one before.
func ReadAfter(ctx context.Context, name, before, text string) (symbols []symbol.Symbol, err error) {
	l, ok := Of(name)
	if !ok {
		return nil, &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "no language has this name; want " + Names()}
	}
	if at := notText(text); at >= 0 {
		return nil, &part.Error{Place: part.Place{Line: 1 + strings.Count(text[:at], "\n"), Column: symbol.Column(text, at)}, Message: "the file is not UTF-8 text"}
	}
	defer func() {
		if recover() != nil { // a parser met what its authors did not expect
			symbols, err = nil, &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as " + l.Name}
		}
	}()
	before, text = strings.TrimPrefix(before, "\ufeff"), strings.TrimPrefix(text, "\ufeff")
	if before != "" && l.After != nil {
		return l.After(ctx, name, before, text)
	}
	return l.Read(ctx, name, text)
}

// notText returns the offset of the first byte that is NUL or not UTF-8, or -1.
func notText(text string) int {
	for i, r := range text {
		if r == 0 {
			return i
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}
