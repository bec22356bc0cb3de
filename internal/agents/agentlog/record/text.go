package record

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// Instant parses an RFC 3339 time; it returns the zero time for any other text.
func Instant(text []byte) time.Time {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// Milliseconds parses a number of milliseconds since 1970; it returns the zero time for any other text.
func Milliseconds(text []byte) time.Time {
	n, known, ok := jsonscan.Count(text)
	if !known || !ok {
		return time.Time{}
	}
	return AtMillisecond(n)
}

// AtMillisecond returns the time of a number of milliseconds since 1970; the zero time for none.
func AtMillisecond(ms int64) time.Time {
	const most = 253402300800000 // the year 10000
	if ms <= 0 || ms >= most {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Valid returns text with U+FFFD for each byte that is not UTF-8, as JSON decoders do.
func Valid(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
}

// Quote returns text of a log for a message: quoted, shortened, without control bytes.
func Quote(text []byte) string {
	const most = 40
	if len(text) > most {
		text = append(slices.Clip(text[:most]), "…"...)
	}
	return strconv.Quote(Valid(text))
}

// Head returns the beginning of a text, which is enough for its first words.
func Head(text []byte) []byte { return text[:min(len(text), 256)] }

// Words returns the words of a text.
func Words(words string) map[string]bool {
	of := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		of[word] = true
	}
	return of
}
