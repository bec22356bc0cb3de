// Package markdown makes text from outside safe to write into a markdown document, and
// reads markdown that others wrote.
package markdown

import (
	"io"
	"strings"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// Text is a piece of a markdown document. Constants are Text by themselves. Any other
// text becomes Text by the functions of this package only, which escape it, so that a
// printer that forgets to escape does not compile.
type Text string

func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

func insideWord(runes []rune, i int) bool {
	return i > 0 && i+1 < len(runes) && isWord(runes[i-1]) && isWord(runes[i+1])
}

// Code writes a line as a code span.
func Code(s string) Text { return span(string(plain.Line(s))) }

// span wraps a line in more backticks than it has in a row.
func span(s string) Text {
	if blank := strings.Trim(s, " ") == ""; s == "" || !blank && strings.Trim(s, "` ") != s {
		s = " " + s + " " // the reader strips them again
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	return Text(ticks + s + ticks)
}

// longestRun returns the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// numbered matches the start of an ordered list item.
var numbered = lazyregexp.New(`^(\d+)([.)])`)

// Line escapes a line of prose. It escapes only what markdown would take as markup at
// that position, so that the line stays readable unrendered. Mentions and addresses become
// code: no escape keeps GitHub and GitLab from notifying the one and linking the other.
func Line(s string) Text {
	line := strings.TrimSpace(string(plain.Line(s)))
	if !strings.ContainsAny(line, "@:.") {
		return escape(line)
	}
	var b strings.Builder
	from := 0
	for _, at := range live().FindAllStringIndex(line, -1) {
		b.WriteString(string(escape(line[from:at[0]])))
		b.WriteString(string(span(line[at[0]:at[1]])))
		from = at[1]
	}
	b.WriteString(string(escape(line[from:])))
	return Text(b.String())
}

// live matches a word with a mention, such as @org/team, or an address: what GitHub or GitLab
// makes more of than its text.
var live = lazyregexp.New(`(?i)\S*(?:@|://|www\.|\b(?:mailto|xmpp):)\S*`)

// escape escapes a piece of prose.
func escape(s string) Text {
	runes := []rune(s)
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
	return Text(numbered().ReplaceAllString(b.String(), `$1\$2`))
}

// Sprintf formats like [fmt.Sprintf]. It passes every argument that is not Text through
// [Line].
func Sprintf(format Text, args ...any) Text { return plain.SprintfWith(Line, format, args...) }

// Join joins texts by a separator.
func Join(texts []Text, separator Text) Text {
	var b strings.Builder
	for i, t := range texts {
		if i > 0 {
			b.WriteString(string(separator))
		}
		b.WriteString(string(t))
	}
	return Text(b.String())
}

// cell escapes bars inside a table cell. A bar after a backslash becomes a
// character reference: a second backslash would not escape it.
var cell = strings.NewReplacer(`\|`, `\&#124;`, "|", `\|`)

// Row returns a row of a table.
func Row(cells ...Text) Text {
	escaped := make([]Text, len(cells))
	for i, c := range cells {
		escaped[i] = Text(cell.Replace(string(c)))
	}
	return "| " + Join(escaped, " | ") + " |"
}

// Fprint writes a document, or whole lines of one, without the commands that GitHub's
// runner would read in them.
func Fprint(w io.Writer, text Text) error {
	_, err := io.WriteString(w, withoutCommands(string(text)))
	return err
}

// command matches the beginning of a command at the start of a line. The runner removes
// white space before it.
var command = lazyregexp.New(`(?m)^([\s\p{Z}]*)(::.*::)`)

func withoutCommands(text string) string {
	if !strings.Contains(text, "::") {
		return text
	}
	return command().ReplaceAllString(text, `$1\$2`)
}
