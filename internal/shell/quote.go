// Package shell quotes what a command line names, so that the commands that reports
// advise can be pasted into a shell whatever the names are.
package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// special are the characters that a shell does not take literally.
const special = " '\"$`\\&|;<>()*?[]#~!{}"

// Quote returns a word that a POSIX shell reads as s. A word with characters that cannot
// be seen, or that would end a code span, is quoted as $'…', as POSIX 2024 defines it.
func Quote(s string) string {
	switch {
	case !utf8.ValidString(s) || string(plain.Line(s)) != s || strings.ContainsRune(s, '`'):
		return ansi(s)
	case s == "" || strings.ContainsAny(s, special) || strings.ContainsFunc(s, unicode.IsSpace):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	default:
		return s
	}
}

// ansi quotes a word with escapes for everything but printable characters.
func ansi(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~' || c == '[' || c == '`':
			b.WriteString(`\x` + string(digits[c>>4]) + string(digits[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// Command is a command line that can be pasted into a shell. Constants are commands by
// themselves; what a command names is quoted by [Sprintf] or [Line].
type Command string

// Line returns a command as one line for a shell.
func Line(argv ...string) Command {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = Quote(word)
	}
	return Command(strings.Join(words, " "))
}

// Sprintf formats like [fmt.Sprintf]. It quotes every argument that is no Command.
func Sprintf(format Command, args ...any) Command { return plain.SprintfWith(quoted, format, args...) }

func quoted(s string) Command { return Command(Quote(s)) }
