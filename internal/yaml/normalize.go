package yaml

import (
	"strings"
	"unicode/utf8"
)

// Normalize returns a file's bytes as text without a byte order mark and with
// lines that end in "\n". Lines and columns do not change. It reports bytes that
// are not UTF-8 to l and then returns false.
func Normalize(source []byte, l *Log) (string, bool) {
	text := strings.TrimPrefix(string(source), "\ufeff")
	if !utf8.ValidString(text) {
		l.Add(invalidByte(text), CodeNotUTF8, "the file is not UTF-8 text")
		return "", false
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), true
}

// invalidByte returns the place of the first byte that is not UTF-8.
func invalidByte(text string) Place {
	offset := 0
	for {
		r, size := utf8.DecodeRuneInString(text[offset:])
		if r == utf8.RuneError && size <= 1 {
			return PlaceOf(text, offset)
		}
		offset += size
	}
}

// PlaceOf returns the place of the byte at offset in text.
func PlaceOf(text string, offset int) Place {
	before := text[:offset]
	return Place{strings.Count(before, "\n") + 1, offset - strings.LastIndexByte(before, '\n')}
}
