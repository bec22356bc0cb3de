package language

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind byte

const (
	word   kind = iota // a name, a keyword or a number
	mark               // an operator, a bracket
	quoted             // a string, with its quotes
	remark             // a comment
)

// token is a part of a text that is no white space.
type token struct {
	kind     kind
	from, to int
	removed  bool // it does not count
}

// maxNesting limits strings in code in strings.
const maxNesting = 50

// lexer splits a text into tokens. It gives up where it is not sure.
type lexer struct {
	*Syntax
	*grammar

	text    string
	at      int
	tokens  []token
	fresh   bool     // no token of the line was read yet
	words   []string // that end here-documents which begin on the next line
	parens  []bool   // open parentheses; whether a statement follows after them
	closed  bool     // the last parenthesis closed such a pair
	nesting int
}

// lex returns the tokens of a text, or false if it is not sure.
func (g *grammar) lex(s *Syntax, text string) ([]token, bool) {
	l := &lexer{Syntax: s, grammar: g, text: text, fresh: true}
	if strings.HasPrefix(text, "#!") && (len(s.line) > 0) {
		l.at = l.lineEnd(0)
		l.add(remark, 0)
	}
	ok := l.run("") && len(l.words) == 0
	return l.tokens, ok
}

// add adds a token from a place to the present one.
func (l *lexer) add(k kind, from int) {
	l.tokens = append(l.tokens, token{kind: k, from: from, to: l.at})
	if k != remark {
		l.fresh = false
	}
}

func (l *lexer) lineEnd(from int) int {
	if i := strings.IndexByte(l.text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(l.text)
}

// run reads code up to its end, or behind the bracket that closes it.
func (l *lexer) run(until string) bool {
	if l.nesting++; l.nesting > maxNesting {
		return false
	}
	defer func() { l.nesting-- }()
	depth := 0
	for l.at < len(l.text) {
		c := l.text[l.at]
		rest := l.text[l.at:]
		switch {
		case c == '\n':
			l.at++
			l.fresh = true
			if !l.hereDocuments() {
				return false
			}
			continue
		case isBlank(c):
			l.at++
			continue
		case l.continued && c == '\\' && (strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n")):
			l.at += strings.IndexByte(rest, '\n') + 1
			continue
		case l.escapes && c == '\\' && len(rest) > 1:
			from := l.at
			l.at += 2
			l.add(word, from)
			continue
		}
		if until != "" && depth == 0 && c == until[0] {
			l.at++
			return true
		}
		if until != "" {
			depth += nestingOf(c, until[0])
		}
		if !l.token(rest) {
			return false
		}
	}
	return until == ""
}

// nestingOf returns by how much a character changes the depth of brackets that a closing one ends.
func nestingOf(c, closing byte) int {
	switch {
	case c == closing:
		return -1
	case closing == '}' && c == '{', closing == ')' && c == '(':
		return 1
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// token reads one token. It returns false if it is not sure where the token ends.
func (l *lexer) token(rest string) bool {
	from := l.at
	line := rest[:lineLength(rest)]
	if q, length := l.quote(line); q != nil {
		return l.string(q, from, from+length)
	}
	if form := l.char; form != nil && rest[0] == '\'' {
		if m := form().FindString(line); m != "" {
			l.at += len(m)
			l.add(quoted, from)
			return true
		}
	}
	if l.mayComment() && l.signAt(rest) {
		return l.comment(rest)
	}
	if l.scalars && (rest[0] == '|' || rest[0] == '>') && l.scalar(line) {
		return true
	}
	if end, length := l.hereDocument(rest); end != "" {
		l.words = append(l.words, end)
		l.at += length
		l.add(quoted, from)
		return true
	}
	if l.isWord(rest[0]) || rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]) && !l.afterOperand(from) {
		return l.word()
	}
	if l.closing != "" && strings.HasPrefix(rest, l.closing) {
		return false
	}
	if rest[0] == '/' && l.regexes && l.operandExpected() {
		return l.regex(line)
	}
	if rest[0] == '<' && l.elements && l.operandExpected() {
		return l.element()
	}
	return l.mark(rest)
}

func lineLength(rest string) int {
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		return i
	}
	return len(rest)
}

// mark reads an operator or a bracket.
func (l *lexer) mark(rest string) bool {
	from := l.at
	length := 1
	for n := min(4, len(rest)); n > 1; n-- {
		if l.operators[rest[:n]] {
			length = n
			break
		}
	}
	if rest == "" || rest[0] >= utf8.RuneSelf {
		length = 1
	}
	switch {
	case rest[0] == '(':
		l.parens = append(l.parens, l.previousIs("if", "while", "for", "with"))
	case rest[0] == ')' && len(l.parens) > 0:
		l.closed = l.parens[len(l.parens)-1]
		l.parens = l.parens[:len(l.parens)-1]
	}
	l.at += length
	l.add(mark, from)
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) isWord(c byte) bool {
	return c == '_' || isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf || strings.IndexByte(l.wordChars, c) >= 0
}

// afterOperand reports whether the token before a place ends there and is an operand.
func (l *lexer) afterOperand(at int) bool {
	if at == 0 {
		return false
	}
	c := l.text[at-1]
	return l.isWord(c) || c == ')' || c == ']'
}

// word reads a name or a number.
func (l *lexer) word() bool {
	from := l.at
	number := isDigit(l.text[from]) || l.text[from] == '.'
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case l.isWord(c) || number && c == '.':
		case number && (c == '+' || c == '-') && strings.IndexByte("eEpP", l.text[l.at-1]) >= 0 && l.exponent(from):
		case number && c == '\'' && l.separators && l.at+1 < len(l.text) && l.isWord(l.text[l.at+1]):
		default:
			return l.endWord(from)
		}
		l.at++
	}
	return l.endWord(from)
}

// exponent reports whether the e of a number that begins at a place may begin an exponent.
func (l *lexer) exponent(from int) bool {
	hexadecimal := strings.HasPrefix(l.text[from:], "0x") || strings.HasPrefix(l.text[from:], "0X")
	return hexadecimal == (l.text[l.at-1]|0x20 == 'p')
}

// endWord adds a word. One that belongs to a raw string after it is read with the string.
func (l *lexer) endWord(from int) bool {
	l.add(word, from)
	last := l.at - 1
	if q, _ := l.quote(l.text[last:l.lineEnd(last)]); q != nil && q.pattern != nil && last > from {
		if !slices.Contains(l.raw, l.text[from:last]) {
			return false
		}
		l.tokens = l.tokens[:len(l.tokens)-1]
		l.at = last
		return l.token(l.text[last:])
	}
	return true
}

// previous returns the last token that is no comment.
func (l *lexer) previous() (token, bool) {
	for _, v := range slices.Backward(l.tokens) {
		if v.kind != remark {
			return v, true
		}
	}
	return token{}, false
}

func (l *lexer) previousIs(words ...string) bool {
	t, ok := l.previous()
	return ok && t.kind == word && slices.Contains(words, l.text[t.from:t.to])
}

// mayComment reports whether a comment may begin here.
func (l *lexer) mayComment() bool {
	switch l.comments {
	case anywhere:
		return true
	case afterBlank:
		return l.at == 0 || l.text[l.at-1] == '\n' || isBlank(l.text[l.at-1])
	case aloneLine:
		return l.fresh
	case atMargin:
		return l.at == 0 || l.text[l.at-1] == '\n'
	default:
		return false
	}
}

// signAt reports whether a text begins with the sign of a comment.
func (l *lexer) signAt(rest string) bool {
	return slices.ContainsFunc(l.block, func(b [2]string) bool { return strings.HasPrefix(rest, b[0]) }) ||
		slices.ContainsFunc(l.line, func(sign string) bool { return strings.HasPrefix(rest, sign) })
}

// comment reads a comment whose sign a text begins with.
func (l *lexer) comment(rest string) bool {
	from := l.at
	for _, b := range l.block {
		if strings.HasPrefix(rest, b[0]) {
			return l.blockComment(b)
		}
	}
	l.at = from + len(strings.TrimRight(rest[:lineLength(rest)], "\r"))
	if l.continued && l.directives && strings.HasSuffix(l.text[from:l.at], `\`) {
		return false // a comment of C that goes on
	}
	l.add(remark, from)
	return true
}

// blockComment reads a comment that ends with a sign.
func (l *lexer) blockComment(b [2]string) bool {
	from := l.at
	l.at += len(b[0])
	for depth := 1; depth > 0; {
		end := strings.Index(l.text[l.at:], b[1])
		if end < 0 {
			return false
		}
		if l.nested {
			if inner := strings.Index(l.text[l.at:], b[0]); inner >= 0 && inner < end {
				l.at += inner + len(b[0])
				depth++
				continue
			}
		}
		l.at += end + len(b[1])
		depth--
	}
	fresh := l.fresh
	l.add(remark, from)
	l.fresh = fresh || strings.Contains(l.text[from:l.at], "\n")
	return true
}
