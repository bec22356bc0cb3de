package symbol

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// prefix begins the names of symbols as parts of their file.
const prefix = "symbol:"

// Parts returns symbols as parts of their file.
func Parts(symbols []Symbol) []part.Part {
	parts := make([]part.Part, 0, len(symbols))
	for _, s := range symbols {
		parts = append(parts, part.Part{
			Name:  prefix + s.Name,
			Path:  strings.ReplaceAll(strings.ReplaceAll(s.Name, "/", "\x00"), ".", "/"),
			Text:  s.Kind + " " + s.Signature,
			Place: part.Place{Line: max(s.Line, 1), Column: max(s.Column, 1)}, EndLine: max(s.EndLine, s.Line, 1),
		})
	}
	return parts
}

// Exported returns the symbols that code outside can use: those that are exported.
func Exported(symbols []Symbol) []Symbol {
	var exported []Symbol
	for _, s := range symbols {
		if s.Exported {
			exported = append(exported, s)
		}
	}
	return exported
}
