package finding

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible makes text from outside, such as a file's name, one line that shows
// what is in it and does nothing to a terminal: control characters and those
// that reorder text are written as escapes, invalid bytes as \xNN.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range Printable(s) {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether s is printable ASCII, as most names are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
