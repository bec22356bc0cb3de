package content

import "strings"

// Search finds lines that one of some regular expressions matches.
type Search struct {
	sources []string
	list    []expression
}

// NewSearch compiles the expressions.
func NewSearch(expressions []string) (*Search, error) {
	list, err := compile(expressions)
	return &Search{expressions, list}, err
}

// byteOrderMark is a character that some editors put before the first line of a file. It is not
// part of the line.
const byteOrderMark = "\uFEFF"

// First returns the number of the first line that an expression matches, from 1, and the first
// such expression; 0 if there is no such line. A carriage return before the end of a line is
// not part of it.
func (s *Search) First(text string) (line int, expression string) {
	text = strings.TrimPrefix(text, byteOrderMark)
	for text != "" {
		var of string
		of, text, _ = strings.Cut(text, "\n")
		line++
		if i := first(s.list, strings.TrimSuffix(of, "\r")); i >= 0 {
			return line, s.sources[i]
		}
	}
	return 0, ""
}
