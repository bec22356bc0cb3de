package pattern

import (
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// class is the set of characters of "[a-z]".
type class struct {
	negated bool
	ranges  []runeRange
}

// runeRange holds the characters from lo to hi, both included.
type runeRange struct{ lo, hi rune }

// classEnd returns the offset after the class that opens at offset i, or -1 if it
// is not closed.
func classEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return i + 1
		}
	}
	return -1
}

// classes finds the classes of one text, from left to right. Where one is not closed, none after
// it is: looking for that again at each bracket would take the square of the text's length.
type classes struct {
	text string
	none bool // no bracket closes a class from here on
}

// end returns the offset after the class that opens at offset i, or -1 if it is not closed.
func (c *classes) end(i int) int {
	if c.none {
		return -1
	}
	end := classEnd(c.text, i)
	c.none = end < 0
	return end
}

// parseClass parses a class with its brackets. It must treat ranges and escapes
// as doublestar does.
func parseClass(source string) (*class, bool) {
	if !doublestar.ValidatePattern(source) {
		return nil, false
	}
	inner := source[1 : len(source)-1]
	c := &class{negated: inner[0] == '!' || inner[0] == '^'}
	if c.negated {
		inner = inner[1:]
	}
	next := func() rune {
		r, n := decode(inner)
		inner = inner[n:]
		return r
	}
	escaped := func() rune {
		inner = strings.TrimPrefix(inner, `\`)
		return next()
	}
	for inner != "" {
		lo := escaped()
		hi := lo
		if len(inner) > 1 && inner[0] == '-' {
			next()
			hi = escaped()
		}
		c.ranges = append(c.ranges, runeRange{lo, hi})
	}
	return c, true
}

// contains reports whether the class has the character at the beginning of s,
// and how many bytes that character has.
func (c *class) contains(s string) (int, bool) {
	if s == "" || s[0] == '/' {
		return 0, false
	}
	r, n := decode(s)
	for _, in := range c.ranges {
		if in.lo <= r && r <= in.hi {
			return n, !c.negated
		}
	}
	return n, c.negated
}

// decode returns the first character of s, which is not empty, and its length.
// A byte that is not UTF-8 has a unique value above all characters.
func decode(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return utf8.MaxRune + 1 + rune(s[0]), 1
	}
	return r, n
}

// width returns the length of the first character of s, which is not empty.
func width(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// lastWidth returns the length of the last character of s, which is not empty.
func lastWidth(s string) int {
	if s[len(s)-1] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return n
}
