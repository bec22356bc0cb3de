package jsonscan

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape returns the text of a string as written. Sequences that are not escapes in JSON
// stay as they are. Without escapes it returns raw itself.
func Unescape(raw []byte) []byte {
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return raw
	}
	text := append(make([]byte, 0, len(raw)), raw[:i]...)
	for i < len(raw) {
		c := raw[i]
		if c != '\\' || i+1 == len(raw) {
			text = append(text, c)
			i++
			continue
		}
		if at := strings.IndexByte(`"\/bfnrt`, raw[i+1]); at >= 0 {
			text = append(text, "\"\\/\b\f\n\r\t"[at])
			i += 2
			continue
		}
		r, size := unicodeEscape(raw[i:])
		if size == 0 {
			text = append(text, c)
			i++
			continue
		}
		i += size
		if utf16.IsSurrogate(r) {
			low, size := unicodeEscape(raw[i:])
			if r = utf16.DecodeRune(r, low); size > 0 && r != utf8.RuneError {
				i += size
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text
}

// unicodeEscape decodes \uXXXX; size is 0 if raw does not begin with it.
func unicodeEscape(raw []byte) (r rune, size int) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}

// CountInto reads a value into a field if it is a count, leaves the field for null, and reports whether
// it is one of both.
func (s *Scanner) CountInto(field **int64) (ok bool) {
	n, known, ok := Count(s.Skip())
	if known {
		*field = &n
	}
	return ok
}

// Count parses a count: an integer of at least 0, written as 7, 7.0, 7e2 or "7". known is
// false for null; ok is false for anything else.
func Count(raw []byte) (n int64, known, ok bool) {
	if string(raw) == "null" {
		return 0, false, true
	}
	raw = bytes.Trim(raw, `"`)
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, n >= 0, n >= 0
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f < 0 || f > 1<<53 || f != float64(int64(f)) {
		return 0, false, false
	}
	return int64(f), true, true
}
