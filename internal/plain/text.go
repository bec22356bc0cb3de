// Package plain makes text from outside, such as file names, commit messages and logs,
// safe to print on a terminal and in the log of a CI job.
package plain

import (
	"fmt"
	"io"
	"strings"
)

// Text is text that can be printed: it has no control characters but line ends and tabs,
// and no character that is invisible or reorders others. Constants are Text by
// themselves. Any other text becomes Text by the functions of this package only, which
// escape it, so that a printer that forgets to escape does not compile.
type Text string

// Line returns text from outside as one line: what cannot be seen becomes an escape.
func Line(s string) Text { return Text(visible(s)) }

// Block returns text from outside as lines; it keeps line ends and tabs.
func Block(s string) Text {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j, cell := range cells {
			cells[j] = visible(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return Text(strings.Join(lines, "\n"))
}

// Lines returns text from outside as a list of lines, without empty ones at its ends.
func Lines(s string) []Text { return Block(strings.Trim(s, "\r\n")).Split("\n") }

// Split splits a text around a separator.
func (t Text) Split(separator Text) []Text {
	parts := strings.Split(string(t), string(separator))
	texts := make([]Text, len(parts))
	for i, part := range parts {
		texts[i] = Text(part)
	}
	return texts
}

// TrimRight removes the characters of cutset from the end.
func (t Text) TrimRight(cutset string) Text { return Text(strings.TrimRight(string(t), cutset)) }

// Join joins texts by a separator.
func Join(texts []Text, separator Text) Text {
	parts := make([]string, len(texts))
	for i, t := range texts {
		parts[i] = string(t)
	}
	return Text(strings.Join(parts, string(separator)))
}

// Sprintf formats like [fmt.Sprintf]. It escapes every argument that is not Text.
func Sprintf(format Text, args ...any) Text {
	return SprintfWith(Line, format, args...)
}

// SprintfWith formats like [fmt.Sprintf]. It passes every argument through escape, except
// those of the type T, which are escaped already.
func SprintfWith[T ~string](escape func(string) T, format T, args ...any) T {
	list := make([]any, len(args))
	for i, arg := range args {
		if t, ok := arg.(T); ok {
			list[i] = string(t)
		} else {
			list[i] = outside{arg, func(s string) string { return string(escape(s)) }}
		}
	}
	return T(fmt.Sprintf(string(format), list...))
}

// outside formats a value and escapes the result.
type outside struct {
	value  any
	escape func(string) string
}

// Format implements [fmt.Formatter].
func (o outside) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, o.escape(fmt.Sprintf(fmt.FormatString(f, verb), o.value))) // the state has no errors
}

// Fprint writes whole lines of text, without the commands that GitHub's runner would
// read in them.
func Fprint(w io.Writer, text Text) error {
	_, err := io.WriteString(w, string(text.WithoutCommands()))
	return err
}

// Fprintf writes what [Sprintf] returns, which must be whole lines, like [Fprint].
func Fprintf(w io.Writer, format Text, args ...any) error {
	return Fprint(w, Sprintf(format, args...))
}

// WithoutCommands escapes, in whole lines, what GitHub's runner, which reads every line of
// a log, would execute: "::name::" at the start of a line or after white space. No Text
// has "##[name]".
func (t Text) WithoutCommands() Text {
	if !strings.Contains(string(t), "::") {
		return t
	}
	lines := strings.SplitAfter(string(t), "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			lines[i] = strings.Replace(line, "::", `\x3a:`, 1)
		}
	}
	return Text(strings.Join(lines, ""))
}
