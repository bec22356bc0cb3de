package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Valid returns text as valid UTF-8: each byte that is not part of valid UTF-8 becomes
// \xNN in lower-case hexadecimal, everything else is unchanged.
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// runnerCommand begins a command that GitHub's runner reads anywhere in a line.
const runnerCommand = "##["

// visible returns text as one printable line.
func visible(s string) string {
	if !ascii(s) {
		s = escapeInvisible(Valid(s), func(r rune) string {
			switch {
			case r == '\n':
				return `\n`
			case r == '\r':
				return `\r`
			case r == '\t':
				return `\t`
			case r < 0x80:
				return fmt.Sprintf(`\x%02x`, r)
			case r > 0xffff:
				return fmt.Sprintf(`\U%08x`, r)
			default:
				return fmt.Sprintf(`\u%04x`, r)
			}
		})
	}
	return strings.ReplaceAll(s, runnerCommand, `##\x5b`)
}

// ascii reports whether s is printable ASCII.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escapeInvisible replaces the characters that cannot be seen, or that change how others
// are shown.
func escapeInvisible(s string, escape func(rune) string) string {
	var b strings.Builder
	before := ' '
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if invisible(r) && !belongs(before, r, s[size:]) {
			b.WriteString(escape(r))
		} else {
			b.WriteString(s[:size])
		}
		before, s = r, s[size:]
	}
	return b.String()
}

// invisible reports whether a character is not visible by itself.
func invisible(r rune) bool {
	switch {
	case r < ' ', r == 0x7f:
		return true
	case r < 0x7f:
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // Arabic number signs: of the category Cf, but visible
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point)
}

const (
	nonJoiner   = '\u200c'
	joiner      = '\u200d'
	textStyle   = '\ufe0e'
	emojiStyle  = '\ufe0f'
	keycap      = '\u20e3'
	firstCJKVar = '\U000e0100' // variation selectors of Han characters
	lastCJKVar  = '\U000e01ef'
)

// joining are the scripts in which a joiner between letters changes their shape.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// belongs reports whether an invisible character is a part of the visible ones around it:
// of an emoji, or of a word in a script that joins letters. Only one can be.
func belongs(before, r rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == joiner && (symbol(before) || before == emojiStyle) && symbol(after):
		return true
	case r == joiner, r == nonJoiner:
		return unicode.In(before, joining...) && unicode.In(after, joining...) && !unicode.IsPunct(before)
	case r == emojiStyle, r == textStyle:
		return symbol(before) || after == keycap && before < 0x80 && (unicode.IsDigit(before) || before == '#' || before == '*')
	case r >= firstCJKVar && r <= lastCJKVar:
		return unicode.Is(unicode.Han, before)
	}
	return false
}

// symbol reports whether a character may be an emoji or a part of one.
func symbol(r rune) bool {
	return r >= 0x80 && !invisible(r) && (unicode.IsSymbol(r) || unicode.IsPunct(r))
}

// fillers are characters that are letters or symbols and look like blanks.
const fillers = "\u2800\u3164\uffa0\u115f\u1160"

// Blank reports whether a text shows nothing.
func Blank(s string) bool {
	for _, r := range s {
		if !invisible(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !strings.ContainsRune(fillers, r) {
			return false
		}
	}
	return true
}
