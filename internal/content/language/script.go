package language

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// beforeOperand are the words after which JavaScript wants an operand.
var beforeOperand = splitWords("return typeof case do else in instanceof new void delete throw yield await of default extends")

// operandExpected reports whether an operand begins here: a / is no division then, and a < no
// comparison.
func (l *lexer) operandExpected() bool {
	t, ok := l.previous()
	if !ok {
		return true
	}
	text := l.text[t.from:t.to]
	switch t.kind {
	case word:
		return slices.Contains(beforeOperand, text) && !strings.HasSuffix(l.text[:t.from], ".")
	case quoted:
		return false
	default:
		switch text {
		case ")":
			return l.closed
		case "]", "++", "--":
			return false
		case "!":
			return !l.assertsNonNull(t)
		case "}":
			return strings.Contains(l.text[t.to:l.at], "\n") // a block; an object ends on the line
		}
		return true
	}
}

// assertsNonNull reports whether a ! comes at once after an operand, as in TypeScript.
func (l *lexer) assertsNonNull(t token) bool {
	for _, v := range slices.Backward(l.tokens) {
		if v.to != t.from {
			continue
		}
		text := l.text[v.from:v.to]
		return v.kind == word && !slices.Contains(beforeOperand, text) || text == "]" || text == ")" && !l.closed
	}
	return false
}

// regex reads a regular expression.
func (l *lexer) regex(line string) bool {
	from := l.at
	class := false
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(line) && l.isWord(line[i]); i++ {
			}
			l.at += i
			l.add(quoted, from)
			return true
		}
	}
	return false
}

// typeParameters matches the beginning of a generic arrow function where an element could begin.
var typeParameters = lazyregexp.New(`^<\s*(const\s+)?[\w$]+\s*(,|extends\s+[^=\s>])`)

// element reads an element of JSX with its children. Its text counts as it stands.
func (l *lexer) element() bool {
	if typeParameters().MatchString(l.text[l.at:min(len(l.text), l.at+200)]) {
		return l.mark("<")
	}
	if l.nesting++; l.nesting > maxNesting {
		return false
	}
	defer func() { l.nesting-- }()
	ended, ok := l.tag()
	if !ok || ended {
		return ok
	}
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.HasPrefix(rest, "</"):
			from := l.at
			end := strings.IndexByte(rest, '>')
			if end < 0 {
				return false
			}
			l.at += end + 1
			l.add(quoted, from)
			return true
		case rest[0] == '<':
			if !l.element() {
				return false
			}
		case rest[0] == '{':
			if !l.braces() {
				return false
			}
		default:
			from := l.at
			length := strings.IndexAny(rest, "<{")
			if length < 0 {
				return false
			}
			l.at += length
			if text := rest[:length]; strings.Trim(text, " \t\r\n") != "" || !strings.Contains(text, "\n") { // white space with a line's end means nothing
				l.add(quoted, from)
			}
		}
	}
	return false
}

// tag reads the beginning of an element, and reports whether the element ends with it.
func (l *lexer) tag() (ended, ok bool) {
	l.mark("<")
	for l.at < len(l.text) {
		from := l.at
		rest := l.text[l.at:]
		switch c := rest[0]; {
		case c == '\n' || isBlank(c):
			l.at++
		case c == '>':
			l.mark(">")
			return false, true
		case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*"):
			if !l.comment(rest) {
				return false, false
			}
		case strings.HasPrefix(rest, "/>"):
			l.at += 2
			l.add(mark, from)
			return true, true
		case c == '{':
			if !l.braces() {
				return false, false
			}
		case c == '"' || c == '\'':
			end := strings.IndexByte(rest[1:], c)
			if end < 0 {
				return false, false
			}
			l.at += end + 2
			l.add(quoted, from)
		case c == '<':
			if !l.typeArguments() {
				return false, false
			}
		case l.isWord(c):
			for l.at < len(l.text) && (l.isWord(l.text[l.at]) || l.text[l.at] == '-') {
				l.at++
			}
			l.add(word, from)
		case strings.IndexByte("=.:", c) >= 0:
			l.mark(rest[:1])
		default:
			return false, false
		}
	}
	return false, false
}

// typeArguments reads the <…> behind the name of an element.
func (l *lexer) typeArguments() bool {
	depth := 0
	for l.at < len(l.text) {
		from := l.at
		rest := l.text[from:]
		if rest[0] == '\n' || isBlank(rest[0]) {
			l.at++
			continue
		}
		if !l.token(rest) {
			return false
		}
		switch text := l.text[from:l.at]; {
		case text == "<":
			depth++
		case strings.Trim(text, ">") == "":
			depth -= len(text)
		}
		if depth <= 0 {
			return depth == 0
		}
	}
	return false
}

// braces reads code in an element.
func (l *lexer) braces() bool {
	l.mark("{")
	if !l.run("}") {
		return false
	}
	from := l.at - 1
	l.tokens = append(l.tokens, token{kind: mark, from: from, to: l.at})
	return true
}

func splitWords(words string) []string { return strings.Fields(words) }
