package finding

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible returns text from outside, such as a file name, as one line that is
// safe to print: control characters and characters that reorder text become
// escapes, invalid bytes \xNN.
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

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
