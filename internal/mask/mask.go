// Package mask makes commands and paths from logs safe to show: it hides secrets,
// escapes control characters and shortens.
package mask

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shownRunes = 200
	// maskedBytes is how much of a text is searched, because a command may contain a whole
	// file.
	maskedBytes = 4096
	masked      = "***"
)

// Excerpt returns a command or a path as reports show it: secrets masked, control
// characters escaped so that it is one line, cut after 200 characters.
func Excerpt(text string) string {
	whole := len(text) <= maskedBytes
	if !whole {
		text = text[:maskedBytes]
	}
	text = mask(text)
	if !whole && utf8.RuneCountInString(text) < shownRunes {
		// The last word may be the beginning of a secret.
		text = text[:strings.LastIndexAny(text, " \n")+1]
	}
	var line strings.Builder
	runes := 0
	for i, r := range text {
		if runes++; runes > shownRunes {
			whole = false
			break
		}
		switch size := utf8.RuneLen(r); {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			line.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
		case !unicode.IsPrint(r):
			line.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			line.WriteString(text[i : i+size])
		}
	}
	if !whole {
		line.WriteString("…")
	}
	return line.String()
}

// mask replaces secrets in a text.
func mask(text string) string {
	return maskRandom(maskNamed(maskIssued(maskShapes(text))))
}
