package rule

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

// shellForm is the advice for commands that need a shell. The file's name is an
// argument of the script, so that the shell does not interpret it.
const shellForm = `write [sh, -c, '…', sh, '{file}']`

// operators are the tokens that only a shell interprets, longest first: those of
// POSIX.1-2017, Shell & Utilities, §2.10.2, and the start of a command substitution.
var operators = []string{"<<-", "&&", "||", ";;", "<<", ">>", "<&", ">&", "<>", ">|", "$(", "&", "|", ";", "<", ">", "(", ")", "`"}

// words splits a command by POSIX.1-2017, Shell & Utilities, §2.3, and removes
// quotes, §2.2. Nothing is expanded: $, *, ? and ~ are ordinary characters. A
// newline is a blank, so that a command may span lines.
func words(command string) ([]string, *yaml.Issue) {
	w := splitter{rest: command}
	for w.rest != "" {
		if issue := w.step(); issue != nil {
			issue.Offset = len(command) - len(w.rest)
			return nil, issue
		}
	}
	w.end()
	if len(w.words) == 0 || w.words[0] == "" {
		return nil, yaml.NewIssue(codeBadCommand, "has no program")
	}
	return w.words, nil
}

type splitter struct {
	rest  string
	words []string
	word  strings.Builder
	open  bool // a word has begun, even if it is empty
}

// step reads one character, escape or quoted part.
func (w *splitter) step() *yaml.Issue {
	for _, op := range operators {
		if strings.HasPrefix(w.rest, op) {
			return yaml.NewIssue(codeBadCommand, "has %q outside quotes, which needs a shell; quote it to pass it on, or %s", op, shellForm)
		}
	}
	switch c := w.rest[0]; c {
	case ' ', '\t', '\n', '\r':
		w.end()
		w.rest = w.rest[1:]
	case '\'':
		inner, after, closed := strings.Cut(w.rest[1:], "'")
		if !closed {
			return unclosed(c)
		}
		w.take(inner, after)
	case '"':
		inner, length, closed := doubleQuoted(w.rest[1:])
		if !closed {
			return unclosed(c)
		}
		w.take(inner, w.rest[1+length:])
	case '\\':
		if len(w.rest) == 1 {
			return yaml.NewIssue(codeBadCommand, `ends with a backslash; want a character after it, or "\\"`)
		}
		if w.rest[1] == '\n' {
			w.rest = w.rest[2:]
			return nil
		}
		w.take(w.rest[1:2], w.rest[2:])
	default:
		w.take(w.rest[:1], w.rest[1:])
	}
	return nil
}

func unclosed(quote byte) *yaml.Issue {
	return yaml.NewIssue(codeBadCommand, "has an opening %c without the closing one", quote)
}

// take adds part to the current word.
func (w *splitter) take(part, rest string) {
	w.open = true
	w.word.WriteString(part)
	w.rest = rest
}

// end ends the current word, if any.
func (w *splitter) end() {
	if w.open {
		w.words = append(w.words, w.word.String())
		w.word.Reset()
		w.open = false
	}
}

// doubleQuoted reads up to the closing quote, which length includes. A backslash
// escapes only $, `, ", itself and the end of a line, §2.2.3.
func doubleQuoted(s string) (inner string, length int, closed bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, true
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i++
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, false
}
