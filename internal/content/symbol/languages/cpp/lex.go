package cpp

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// kind is the kind of a token.
type kind uint8

const (
	word      kind = iota // a name, a keyword or a number
	literal               // a string or a character
	sign                  // an operator, a bracket or a separator
	broken                // a literal without its end on the line
	directive             // a line of the preprocessor
)

// token is one token of a text. A directive has its own tokens.
type token struct {
	start, end int
	kind       kind
	inner      []token
}

// lexer splits a text into tokens, without comments and joined lines.
type lexer struct {
	text string
	at   int
	deep bool // in a directive, which ends with the line
}

// operators of several characters. Each > is a token, since it may end template arguments.
var operators = []string{"...", "<=>", "->*", "<<=", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*"}

// tokens returns the tokens of a text or, in a directive, of the rest of the line.
func (l *lexer) tokens() ([]token, error) {
	var all []token
	first := !l.deep // no token is before this one on its line
	for {
		line, err := l.space()
		if err != nil || l.at >= len(l.text) || l.deep && l.text[l.at] == '\n' {
			return all, err
		}
		first = first || line
		t := token{start: l.at}
		if first && !l.deep && l.text[l.at] == '#' {
			if t.inner, err = l.directive(); err != nil {
				return nil, err
			}
			t.kind = directive
		} else if t.kind, err = l.next(); err != nil {
			return nil, err
		}
		t.end, first = l.at, false
		all = append(all, t)
	}
}

// directive reads a line of the preprocessor. Of those that are no code, only the name is read.
func (l *lexer) directive() ([]token, error) {
	l.at++
	l.deep = true
	defer func() { l.deep = false }()
	if _, err := l.space(); err != nil {
		return nil, err
	}
	name := token{start: l.at}
	for l.at < len(l.text) && isWord(l.text[l.at]) {
		l.at++
	}
	name.end = l.at
	switch l.text[name.start:name.end] {
	case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef":
		rest, err := l.tokens()
		return append([]token{name}, rest...), err
	}
	l.line()
	return []token{name}, nil
}

// line skips the rest of a line with those that a backslash joins to it.
func (l *lexer) line() {
	for l.at < len(l.text) && l.text[l.at] != '\n' {
		if n := l.joined(); n > 0 {
			l.at += n
			continue
		}
		l.at++
	}
}

// joined returns the length of a backslash at the end of a line with the end, or 0.
func (l *lexer) joined() int {
	rest := l.text[l.at:]
	switch {
	case strings.HasPrefix(rest, "\\\n"):
		return 2
	case strings.HasPrefix(rest, "\\\r\n"):
		return 3
	}
	return 0
}

// space skips blanks and comments, and reports whether a line ended. In a directive it stops at the end of the line.
func (l *lexer) space() (line bool, err error) {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch c := rest[0]; {
		case c == '\n' && l.deep:
			return line, nil
		case c == '\n':
			line = true
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			l.at++
		case l.joined() > 0:
			l.at += l.joined()
		case strings.HasPrefix(rest, "//"):
			l.line()
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return false, &wrong{l.at, "the comment has no end"}
			}
			l.at += end + 4
		default:
			return line, nil
		}
	}
	return line, nil
}

// next reads one token.
func (l *lexer) next() (kind, error) {
	c := l.text[l.at]
	switch {
	case isDigit(c) || c == '.' && l.at+1 < len(l.text) && isDigit(l.text[l.at+1]):
		l.number()
		return word, nil
	case isWord(c):
		from := l.at
		for l.at < len(l.text) && isWord(l.text[l.at]) {
			l.at++
		}
		if l.at == len(l.text) || l.text[l.at] != '"' && l.text[l.at] != '\'' {
			return word, nil
		}
		switch l.text[from:l.at] {
		case "R", "u8R", "uR", "UR", "LR":
			if l.text[l.at] == '"' {
				return literal, l.raw(from)
			}
		case "u8", "u", "U", "L":
			return l.quoted(), nil
		}
		return word, nil
	case c == '"' || c == '\'':
		return l.quoted(), nil
	}
	for _, o := range operators {
		if strings.HasPrefix(l.text[l.at:], o) {
			l.at += len(o)
			return sign, nil
		}
	}
	l.at++
	return sign, nil
}

// number reads a number of the preprocessor, with separators and exponents.
func (l *lexer) number() {
	for l.at++; l.at < len(l.text); l.at++ {
		c, before := l.text[l.at], l.text[l.at-1]|0x20
		switch {
		case isWord(c) || c == '.':
		case c == '\'' && l.at+1 < len(l.text) && isWord(l.text[l.at+1]):
		case (c == '+' || c == '-') && (before == 'e' || before == 'p'):
		default:
			return
		}
	}
}

// quoted reads a string or a character, which ends on its line.
func (l *lexer) quoted() kind {
	quote := l.text[l.at]
	for l.at++; l.at < len(l.text) && l.text[l.at] != '\n'; l.at++ {
		switch l.text[l.at] {
		case quote:
			l.at++
			return literal
		case '\\':
			l.at += max(1, l.joined()-1)
		}
	}
	l.at = min(l.at, len(l.text))
	return broken
}

// raw reads a raw string.
func (l *lexer) raw(from int) error {
	rest := l.text[l.at+1:]
	open := strings.IndexByte(rest[:min(len(rest), 17)], '(')
	if open < 0 {
		return &wrong{from, "the raw string has no \"(\""}
	}
	end := strings.Index(rest, ")"+rest[:open]+"\"")
	if end < 0 {
		return &wrong{from, "the raw string has no end"}
	}
	l.at += 1 + end + open + 2
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}

// wrong is a problem at an offset of a text.
type wrong struct {
	at      int
	problem string
}

func (w *wrong) Error() string { return w.problem }

// place returns a problem with its place in the file.
func (w *wrong) place(language, text string) error {
	return &part.Error{
		Place:   part.Place{Line: 1 + strings.Count(text[:w.at], "\n"), Column: symbol.Column(text, w.at)},
		Message: fmt.Sprintf("cannot be read as %s: %s", language, w.problem),
	}
}
