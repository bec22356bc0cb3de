package yaml

import (
	"strconv"
	"strings"
)

// need is a value of a line that YAML would read as something else unless it is
// quoted.
type need struct {
	column int // from 1, in bytes
	text   string
}

// indicators are the characters that cannot start an unquoted text,
// YAML 1.2.2 §5.3. "[" and "{" are looked at apart: they may be meant.
const indicators = "*&!%@`|>"

// unquoted finds the values of a line that need quotes. It is for advice only:
// what it takes for a value is a guess, made after YAML has failed.
func unquoted(line string) []need {
	start := len(line) - len(strings.TrimLeft(line, " \t"))
	for strings.HasPrefix(line[start:], "- ") {
		start += 2 + blanks(line[start+2:])
	}
	if i := strings.Index(line[start:], ": "); i >= 0 && !strings.ContainsAny(line[start:start+i], "[]{}") {
		start += i + 2
		start += blanks(line[start:])
	}
	if start == 0 {
		return nil // a key, or what is none
	}
	return needs(line[start:], start+1)
}

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// needs finds what needs quotes in the text of one value, or in the items of a
// flow list or mapping. Column is where the text starts.
func needs(value string, column int) []need {
	value = withoutComment(value)
	if value == "" || value[0] == '"' || value[0] == '\'' {
		return nil
	}
	if closer := closers[value[0]]; closer != 0 && value[len(value)-1] == closer && balanced(value[1:len(value)-1]) {
		var found []need
		for _, item := range items(value[1 : len(value)-1]) {
			text := item.text
			if closer == '}' {
				_, after, ok := strings.Cut(text, ": ")
				if !ok {
					continue
				}
				item.column += len(text) - len(after) + blanks(after)
				text = strings.TrimLeft(after, " ")
			}
			inner := needs(text, column+item.column)
			if len(inner) == 0 && text != "" && !strings.ContainsAny(text[:1], "\"'[{") && strings.ContainsAny(text, "[]{}") {
				inner = []need{{column + item.column, text}}
			}
			found = append(found, inner...)
		}
		return found
	}
	value = strings.TrimRight(value, ",")
	if value == "" {
		return nil
	}
	if closers[value[0]] != 0 || strings.IndexByte(indicators, value[0]) >= 0 || strings.Contains(value, ": ") {
		return []need{{column, value}}
	}
	return nil
}

var closers = map[byte]byte{'[': ']', '{': '}'}

func withoutComment(value string) string {
	if i := strings.Index(value, " #"); i >= 0 {
		value = value[:i]
	}
	return strings.TrimRight(value, " \t")
}

// items are the parts of a flow collection between the commas that are not
// inside braces, brackets or quotes, each with its distance from the opening.
func items(inner string) []need {
	var found []need
	depth, from := 0, 0
	var quoted rune
	take := func(to int) {
		item := inner[from:to]
		found = append(found, need{1 + from + blanks(item), strings.TrimSpace(item)})
		from = to + 1
	}
	for i, r := range inner {
		switch {
		case quoted != 0:
			if r == quoted {
				quoted = 0
			}
		case r == '"' || r == '\'':
			quoted = r
		case r == '{' || r == '[':
			depth++
		case r == '}' || r == ']':
			depth--
		case r == ',' && depth <= 0:
			take(i)
		}
	}
	take(len(inner))
	return found
}

// balanced reports whether no bracket or brace closes before it opens.
func balanced(inner string) bool {
	depth := 0
	for _, r := range inner {
		switch r {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return true
}

// Quote writes a text so that YAML reads it as it is: in double quotes, in
// single ones where double ones would need escapes.
func Quote(text string) string {
	if strings.ContainsAny(text, `"\`) && !strings.ContainsAny(text, "\n\t") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return strconv.Quote(text)
}
