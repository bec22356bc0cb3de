package pattern

import "strings"

// kind is the kind of a token.
type kind uint8

const (
	literal    kind = iota // text
	slash                  // the separator
	anyOne                 // ?
	oneOf                  // [a-z]
	star                   // *
	doubleStar             // **, and any longer run
	capture                // {name}
	choice                 // {a,b}
)

// token is a piece of a pattern.
type token struct {
	kind    kind
	source  string // as written
	offset  int    // of source in the pattern
	text    string // literal, slash: the text, without escapes
	class   *class // oneOf
	name    string // capture: "" when it binds nothing
	multi   bool   // capture: may hold "/"
	filter  filter // capture: how its text is written here
	vanish  bool   // capture: may be empty, and then takes the "/" after it along
	choices [][]token
	opens   bool // it begins an alternative
}

// sourceOf returns tokens as they were written.
func sourceOf(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.source)
	}
	return b.String()
}

// end returns the offset after the token.
func (t token) end() int { return t.offset + len(t.source) }
