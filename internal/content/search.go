package content

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
)

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

// First returns the number of the first line that an expression matches, from 1, and the first
// such expression; 0 if there is no such line. A carriage return before the end of a line is
// not part of it.
func (s *Search) First(text string) (line int, expression string) {
	text = strings.TrimPrefix(text, charset.Mark)
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
