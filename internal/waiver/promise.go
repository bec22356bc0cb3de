package waiver

import (
	"cmp"
	"regexp"
	"strings"
)

// promise is a rule that somebody says to have seen to, with the reason in one line.
type promise struct{ name, reason string }

// A check mark before the name is decoration; no name has a "<".
var promised = regexp.MustCompile(`(?i)<promise>[\s✓✔]*([^<]*?)\s*</promise>`)

// promisesIn reads `<promise>Rule name</promise>` tags. The reason is what else
// stands on their lines. A tag that is only shown, as code or in a comment of
// HTML, promises nothing.
func promisesIn(text string) []promise {
	text = withoutQuotes(text)
	var promises []promise
	to, reason := -1, "" // where the lines last looked at end, and what stands there
	for _, at := range promised.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if name == "" {
			continue
		}
		if at[1] > to {
			from := strings.LastIndexByte(text[:at[0]], '\n') + 1
			to = len(text)
			if end := strings.IndexByte(text[at[1]:], '\n'); end >= 0 {
				to = at[1] + end
			}
			reason = cmp.Or(oneLine(promised.ReplaceAllString(text[from:to], "")), "promised")
		}
		promises = append(promises, promise{name: name, reason: reason})
	}
	return promises
}

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)
	codeSpan    = regexp.MustCompile("`+[^`\n]+`+")
	fenceLine   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
)

// withoutQuotes leaves out comments of HTML, code blocks between fences as
// CommonMark has them, and tags in a code span.
func withoutQuotes(text string) string {
	var kept []string
	open := "" // the fence of the block the line lies in
	for line := range strings.SplitSeq(htmlComment.ReplaceAllString(text, ""), "\n") {
		m := fenceLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
		switch {
		case m != nil && open == "" && (m[1][0] == '~' || !strings.Contains(m[2], "`")):
			open = m[1]
		case m != nil && open != "" && strings.HasPrefix(m[1], open) && strings.TrimSpace(m[2]) == "":
			open = ""
		case open == "":
			kept = append(kept, line)
		}
	}
	return codeSpan.ReplaceAllStringFunc(strings.Join(kept, "\n"), func(span string) string {
		if promised.MatchString(span) {
			return ""
		}
		return span
	})
}
