package finding

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Printable returns a path as valid UTF-8: each byte that is not part of valid
// UTF-8 becomes \xNN in lower-case hexadecimal, everything else is unchanged.
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

// PathList writes paths as text, each once, in byte order.
func PathList(paths []string) string {
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, p := range paths {
		paths[i] = Printable(p)
	}
	return strings.Join(paths, ", ")
}
