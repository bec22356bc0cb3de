package finding

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Printable writes a path as text: each byte that is not part of valid UTF-8
// becomes \xNN in lower-case hexadecimal, everything else stays as it is. The
// result is always valid UTF-8.
func Printable(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	var b strings.Builder
	for len(path) > 0 {
		r, size := utf8.DecodeRuneInString(path)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, path[0])
		} else {
			b.WriteString(path[:size])
		}
		path = path[size:]
	}
	return b.String()
}
