// Package symbol describes what source files declare, in one form for all languages.
package symbol

import (
	"strings"
	"unicode/utf8"
)

// Symbol is one declaration of a source file.
type Symbol struct {
	Name     string // with the names around it: "Parse", "Reader.Close"
	Kind     string // by the words of the language: "function", "type", "message"
	Exported bool   // code outside of the file's package or module can use it
	// Signature has what callers see, in a form that does not depend on layout: tokens with
	// one space between them, without comments, bodies and names of parameters that no
	// caller can use. It holds the default value or the value of a constant where callers
	// depend on it.
	Signature string
	// Line and EndLine are the first and the last line of the declaration with its body;
	// both count from 1.
	Line, EndLine int
	Column        int // of the name, in characters, from 1
}

// Column returns the column of an offset in a text, in characters, from 1.
func Column(text string, offset int) int {
	offset = min(max(offset, 0), len(text))
	return utf8.RuneCountInString(text[strings.LastIndexByte(text[:offset], '\n')+1:offset]) + 1
}
