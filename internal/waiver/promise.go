package waiver

import (
	"cmp"
	"regexp"
	"strings"
)

// promise names a rule that an author claims to have followed, with the reason in one line.
type promise struct{ name, reason string }

// A check mark before the name is decoration; no name has a "<".
var promised = regexp.MustCompile(`(?i)<promise>[\s✓✔]*([^<]*?)\s*</promise>`)

// promisesIn reads `<promise>Rule name</promise>` tags. The reason is the rest of their
// line. A tag in code or in an HTML comment is ignored.
func promisesIn(text string) []promise {
	text = withoutQuotes(text)
	var promises []promise
	to, reason := -1, "" // the end of the last lines read, and their text without tags
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

// withoutQuotes removes HTML comments, fenced code blocks as defined by CommonMark, and
// tags in a code span.
func withoutQuotes(text string) string {
	var kept []string
	open := "" // the fence of the block that contains the line
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
