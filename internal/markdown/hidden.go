package markdown

import (
	"encoding/base64"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// hiddenStart is how a document with hidden data begins. Base64 cannot end the comment.
const hiddenStart = "<!-- rulecheck:1 "

// Hidden writes data into a comment of HTML, which no renderer shows.
func Hidden(data string) Text {
	return Text(hiddenStart + base64.StdEncoding.EncodeToString([]byte(data)) + " -->")
}

// ReadHidden returns the data with which a document begins; false: there is none.
func ReadHidden(document string) (string, bool) {
	rest, found := strings.CutPrefix(document, hiddenStart)
	encoded, _, ended := strings.Cut(rest, " -->")
	data, err := base64.StdEncoding.DecodeString(encoded)
	return string(data), found && ended && err == nil
}

// address matches a URL that cannot end the markup around it.
var address = lazyregexp.New(`^https?://[A-Za-z0-9._~:/?#@!$&*+,;=%-]+$`)

// Link writes a link to a URL; false: it is no URL of a page, or has markup.
func Link(text Text, url string) (Text, bool) {
	if !address().MatchString(url) {
		return "", false
	}
	return "[" + text + "](" + Text(url) + ")", true
}
