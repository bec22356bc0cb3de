package content

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// expression is a regular expression that is searched in lines.
type expression struct {
	*regexp.Regexp

	literal string // that every match contains, which rules most lines out quickly
}

// compile compiles the expressions of a rule.
func compile(sources []string) ([]expression, error) {
	list := make([]expression, 0, len(sources))
	for _, source := range sources {
		re, err := regexp.Compile(source)
		if err != nil {
			return nil, fmt.Errorf("expression %q: %w", source, err) // a rule with one does not load
		}
		parsed, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("expression %q: %w", source, err)
		}
		list = append(list, expression{re, literalOf(parsed)})
	}
	return list, nil
}

// literalOf returns the longest text that it finds in every match; it may be empty.
func literalOf(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literalOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalOf(re.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if text := literalOf(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	default:
	}
	return ""
}

// first returns the index of the first expression that matches a text, or -1.
func first(list []expression, text string) int {
	for i, e := range list {
		if strings.Contains(text, e.literal) && e.MatchString(text) {
			return i
		}
	}
	return -1
}

// HasLine reports whether a regular expression matches a line of a text.
func HasLine(text, source string) (bool, error) {
	list, err := compile([]string{source})
	if err != nil || !strings.Contains(text, list[0].literal) {
		return false, err
	}
	for line := range strings.Lines(text) {
		if first(list, strings.TrimRight(line, "\r\n")) >= 0 {
			return true, nil
		}
	}
	return false, nil
}
