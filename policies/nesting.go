package policies

import "strings"

// MaxNesting is how deep brackets in Rego may be nested. The time of OPA's parser grows with the
// square of the depth and faster.
const MaxNesting = 64

// Nested returns the offset of the first bracket of a Rego text that is nested deeper than
// [MaxNesting]; -1 if none is. Brackets in texts and comments do not count, except some of those in
// texts with expressions.
func Nested(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '(', '{':
			if depth++; depth > MaxNesting {
				return i
			}
		case ']', ')', '}':
			depth = max(0, depth-1)
		case '#':
			i += lengthTo(text[i:], "\n")
		case '`':
			i += 1 + lengthTo(text[i+1:], "`")
		case '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// lengthTo returns the length of the text before a mark, or of all of it.
func lengthTo(text, mark string) int {
	before, _, _ := strings.Cut(text, mark)
	return len(before)
}
