package format

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// markdownName writes a file name as it is if markdown cannot change it, and
// otherwise as a code span.
func markdownName(name string) string {
	name = finding.Visible(name)
	if isPlain(name) {
		return name
	}
	return codeSpan(name)
}

// isPlain reports whether a name has no markup, starts no list, is no link, and
// has underscores only inside words.
func isPlain(name string) bool {
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case isWord(r), r == '/', r == '.', r == '-':
		case r == '_' && insideWord(runes, i):
		default:
			return false
		}
	}
	return name != "" && name[0] != '-' && !strings.HasSuffix(name, ".") && !strings.Contains(name, "www.")
}

func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

func insideWord(runes []rune, i int) bool {
	return i > 0 && i+1 < len(runes) && isWord(runes[i-1]) && isWord(runes[i+1])
}

// codeSpan wraps a line in more backticks than it has in a row.
func codeSpan(s string) string {
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	if strings.Trim(s, "` ") != s {
		s = " " + s + " " // the reader strips them again
	}
	ticks := strings.Repeat("`", longest+1)
	return ticks + s + ticks
}

// numbered matches the start of an ordered list item.
var numbered = regexp.MustCompile(`^(\d+)([.)])`)

// markdownText escapes a line of prose. It escapes only what markdown would take
// as markup at that position, so that the line stays readable unrendered.
func markdownText(s string) string {
	runes := []rune(strings.TrimSpace(finding.Visible(s)))
	var b strings.Builder
	for i, r := range runes {
		next := ' '
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		var escape bool
		switch r {
		case '`', '*', '[', '~':
			escape = true
		case '\\':
			escape = next == ' ' || next < unicode.MaxASCII && (unicode.IsPunct(next) || unicode.IsSymbol(next))
		case '_':
			escape = !insideWord(runes, i)
		case '<':
			escape = next != ' '
		case '&':
			escape = next == '#' || unicode.IsLetter(next)
		case '#':
			escape = i == 0 || runes[i-1] == ' '
		case '-', '+', '=', '>':
			escape = i == 0
		}
		if escape {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return numbered.ReplaceAllString(b.String(), `$1\$2`)
}

// fence matches a line that opens or closes a code block.
var fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")

// markdownBody returns a rule's own markdown and closes a code block left open,
// which would swallow the rest of the report.
func markdownBody(body string) string {
	lines := report.VisibleLines(body)
	if open := openFence(lines); open != "" {
		lines = append(lines, open)
	}
	return strings.Join(lines, "\n")
}

// openFence returns the fence that closes the code block at the end of the lines;
// empty if no block is open.
func openFence(lines []string) string {
	open := ""
	for _, line := range lines {
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil:
		case open == "":
			if m[1][0] == '~' || !strings.Contains(m[2], "`") {
				open = m[1]
			}
		case strings.HasPrefix(m[1], open) && strings.TrimSpace(m[2]) == "":
			open = ""
		}
	}
	return open
}
