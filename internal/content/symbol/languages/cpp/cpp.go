// Package cpp reads the symbols of C and C++ by the brackets and words of declarations. Macros need no
// definition: they are words of the declaration they are in. What is in the body of a function is not read.
package cpp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// Limits of a text, and of the symbols in all its readings.
const (
	maxText    = 1 << 20
	maxSymbols = 16 << 20
	perSymbol  = 100 // bytes of a symbol besides its text
)

// C reads C.
var C = symbol.Language{
	Name: "C", Extensions: []string{".c", ".h"}, Read: reader("C"),
	Exported: "of a header, all that it declares and its macros, except for the one that guards it; of other files, functions and variables that are not `static`",
}

// CPlusPlus reads C++.
var CPlusPlus = symbol.Language{
	Name: "C++", Extensions: []string{".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl", ".tcc"}, Read: reader("C++"),
	Exported: "as in C, without `private` members and what is in a namespace without a name",
}

func reader(language string) func(ctx context.Context, name, text string) ([]symbol.Symbol, error) {
	return func(ctx context.Context, name, text string) ([]symbol.Symbol, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		symbols, err := read(ctx, path.Ext(name), text)
		if problem, ok := errors.AsType[*wrong](err); ok {
			return nil, problem.place(language, text)
		}
		return symbols, err
	}
}

// read returns the symbols of all readings of a text.
func read(ctx context.Context, extension, text string) ([]symbol.Symbol, error) {
	if len(text) > maxText {
		return nil, &wrong{0, fmt.Sprintf("the file has %d bytes; want at most %d", len(text), maxText)}
	}
	tokens, err := (&lexer{text: text}).tokens()
	if err != nil {
		return nil, err
	}
	c, err := conditionsOf(text, tokens, func(name string) (is, known bool) {
		switch name {
		case "0", "false":
			return false, true
		case "1", "true":
			return true, true
		case "__cplusplus":
			return extension != ".c", extension != ".h"
		}
		return false, false
	})
	if err != nil {
		return nil, err
	}
	f := newFile(text, extension)
	f.macros(c)
	err = c.read(func(tokens []token) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return f.read(tokens)
	})
	if err != nil {
		return nil, err
	}
	return f.sorted(), nil
}

// sources are the extensions of files that others do not include.
var sources = []string{".c", ".cpp", ".cc", ".cxx"}

func isSource(extension string) bool { return slices.Contains(sources, extension) }

// isCapital reports whether a name is spelled like a macro.
func isCapital(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}
