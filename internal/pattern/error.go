package pattern

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Error is an error in a pattern.
type Error struct {
	// Code names the kind of mistake. Compile: empty_pattern, too_long,
	// unknown_filter, unclosed_brace, unmatched_close_brace, nested_brace, empty_variable,
	// invalid_variable_name, conflicting_modifiers, adjacent_captures,
	// empty_alternative, too_many_alternatives, bad_class, trailing_backslash,
	// leading_slash, trailing_slash, leading_dot_slash, empty_segment,
	// dot_segment, negation, double_star_in_segment, ambiguous_repetition.
	// CompilePart: key_in_braces, key_without_path, unknown_part, empty_key, empty_part,
	// bad_pointer_escape, unnamed_capture_in_key.
	// SameCaptures and BoundBy: unbound_variable, different_reach.
	Code    string
	Source  string // the pattern
	Offset  int    // where in Source, in bytes
	Message string // quotes the wrong text and names the accepted form
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// newError returns an error about the text at offset.
func newError(source, code string, offset int, format string, args ...any) *Error {
	return &Error{Code: code, Source: source, Offset: offset, Message: fmt.Sprintf(format, args...)}
}

// maxQuoted is how many bytes of a pattern a message shows.
const maxQuoted = 300

// quote returns a pattern in quotes. Backslashes are not doubled, so that "\{"
// does not look like "\\{", unless the pattern has unprintable characters.
func quote(pattern string) string {
	shown := pattern
	if len(pattern) > maxQuoted {
		shown = strings.ToValidUTF8(pattern[:maxQuoted], "")
	}
	cut := ""
	if len(shown) < len(pattern) {
		cut = "…"
	}
	pattern = shown
	hidden := func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	if strings.ContainsFunc(pattern, hidden) {
		return strconv.Quote(pattern) + cut
	}
	return `"` + pattern + `"` + cut
}
