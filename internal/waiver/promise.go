package waiver

import (
	"html"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// promise names a rule that an author claims to have followed, with the reason in one line.
type promise struct{ name, reason string }

// A check mark before the name is decoration; no name has a "<".
var promised = lazyregexp.New(`(?i)<promise>[\s✓✔]*([^<]*?)\s*</promise>`)

// promisesIn reads `<promise>Rule name</promise>` tags. The reason is the rest of their
// line. A tag promises only where markdown shows it as one: not in code, a comment or
// another tag.
func promisesIn(text string) []promise {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	found := promised().FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		return nil
	}
	tags := markdown.Tags(text)
	shown := htmlComment().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	var promises []promise
	to, reason := -1, "" // the end of the last lines read, and their text without tags
	for _, at := range found {
		name := text[at[2]:at[3]]
		if name == "" || !tags[at[0]] || !tags[at[1]-len(closingTag)] {
			continue
		}
		if at[1] > to {
			from := strings.LastIndexByte(text[:at[0]], '\n') + 1
			to = len(text)
			if end := strings.IndexByte(text[at[1]:], '\n'); end >= 0 {
				to = at[1] + end
			}
			reason = "promised"
			if rest := notReason().ReplaceAllString(shown[from:to], ""); !plain.Blank(rest) {
				reason = oneLine(rest)
			}
		}
		promises = append(promises, promise{name: name, reason: reason})
	}
	return promises
}

const closingTag = "</promise>"

var (
	htmlComment = lazyregexp.New(`(?s)<!--.*?(-->|$)`)
	// notReason matches promises, which are no part of a reason, in code or not.
	notReason = lazyregexp.New("(?i)`*<promise>[^<]*</promise>`*")
)

// escaped matches a promise as some agents show it to their models, which answer in the same form.
var escaped = lazyregexp.New(`(?i)&lt;promise&gt;[^<]*?&lt;/promise&gt;`)

// Promises returns the names of the rules that an agent's answer promises to follow, each once.
func Promises(text string) []string {
	text = escaped().ReplaceAllStringFunc(text, html.UnescapeString)
	var names []string
	for _, p := range promisesIn(text) {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}
