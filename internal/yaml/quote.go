package yaml

import (
	"strconv"
	"strings"
)

// span is a part of a line.
type span struct {
	column int // from 1, in bytes
	text   string
}

// indicators are the characters that cannot start an unquoted text, YAML 1.2.2
// §5.3. "[" and "{" are checked separately: they may start a collection.
const indicators = "*&!%@`|>"

// unquoted finds the values of a line that need quotes. It guesses which parts
// are values, so use it only for advice after parsing has failed.
func unquoted(line string) []span {
	start := len(line) - len(strings.TrimLeft(line, " \t"))
	for strings.HasPrefix(line[start:], "- ") {
		start += 2 + blanks(line[start+2:])
	}
	if i := strings.Index(line[start:], ": "); i >= 0 && !strings.ContainsAny(line[start:start+i], "[]{}") {
		start += i + 2
		start += blanks(line[start:])
	}
	if start == 0 {
		return nil // no value
	}
	return needQuotes(line[start:], start+1)
}

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// needQuotes finds what needs quotes in one value, or in the items of a flow list
// or mapping. column is where the value starts.
func needQuotes(value string, column int) []span {
	value = withoutComment(value)
	if value == "" || value[0] == '"' || value[0] == '\'' {
		return nil
	}
	if closer := closers[value[0]]; closer != 0 && value[len(value)-1] == closer && balanced(value[1:len(value)-1]) {
		var found []span
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
			inner := needQuotes(text, column+item.column)
			if len(inner) == 0 && text != "" && !strings.ContainsAny(text[:1], "\"'[{") && strings.ContainsAny(text, "[]{}") {
				inner = []span{{column + item.column, text}}
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
		return []span{{column, value}}
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

// items splits the inside of a flow collection at the commas outside of braces,
// brackets and quotes. Columns are distances from the opening bracket.
func items(inner string) []span {
	var found []span
	depth, from := 0, 0
	var quoted rune
	take := func(to int) {
		item := inner[from:to]
		found = append(found, span{1 + from + blanks(item), strings.TrimSpace(item)})
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

// Quote quotes text for YAML: in double quotes, or in single quotes if double
// quotes would need escapes.
func Quote(text string) string {
	if strings.ContainsAny(text, `"\`) && !strings.ContainsAny(text, "\n\t") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return strconv.Quote(text)
}
