package agentlog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped undoes the escapes of a string as written; without any it is the
// same bytes. What is no escape of JSON's stays as it is.
func unescaped(raw []byte) []byte {
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

// unicodeEscape reads \uXXXX; size 0: there is none.
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

// number reads a count: an integer, written as 7, 7.0, 7e2 or "7". known is
// false for null; ok is false for what is no count.
func number(raw []byte) (n int64, known, ok bool) {
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

// instant reads an RFC 3339 time; the zero time when it is none.
func instant(text []byte) time.Time {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// valid is text with U+FFFD for each byte that is not UTF-8, as JSON's readers
// give it.
func valid(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
}

// quote shows a word of a log in a message, short and without control bytes.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		text = append(slices.Clip(text[:most]), "…"...)
	}
	return strconv.Quote(valid(text))
}

// head is the beginning of a text, enough for what is told in words.
func head(text []byte) []byte { return text[:min(len(text), 256)] }
