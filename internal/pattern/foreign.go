package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Foreign returns an *Error if source is legal but written in another language: as a regular
// expression, or with the separators of Windows. Nil: it is not. Its signs are "^" at the
// beginning, "$" at the end, and "\" before a character that needs no escape.
func Foreign(source string) error {
	path := source
	if at := PartAt(source); at >= 0 {
		path = source[:at]
	}
	if strings.HasPrefix(path, "^") {
		return asExpression(source, path, 0)
	}
	in := classes{text: path}
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '[':
			if end := in.end(i); end > 0 {
				i = end - 1
			}
		case path[i] == '$' && i+1 == len(path):
			return asExpression(source, path, i)
		case path[i] == '\\' && i+1 < len(path):
			switch {
			case !needless(path, i+1):
				i++
			case isSeparator(path, i):
				return asWindows(source, path, i)
			default:
				return asExpression(source, path, i)
			}
		}
	}
	return nil
}

// needless reports whether the escaped character at an index is ordinary: a letter, a digit or
// a dot; or a star in a path without "/", whose "\" are the separators.
func needless(path string, at int) bool {
	r, _ := utf8.DecodeRuneInString(path[at:])
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '*' && !strings.Contains(path, "/")
}

// classLetters begin a class of characters in a regular expression.
const classLetters = "dwsbDWSB"

// isSeparator reports whether the "\" at an index is between two names, not a part of a regular
// expression.
func isSeparator(path string, at int) bool {
	next, after := path[at+1], byte(0)
	if at+2 < len(path) {
		after = path[at+2]
	}
	repeated := strings.IndexByte("+*?{", after) >= 0 && after != 0
	switch {
	case next == '.':
		return !strings.Contains(path, "/") && strings.Contains(strings.ReplaceAll(path, `\.`, ""), `\`)
	case strings.IndexByte(classLetters, next) >= 0:
		return !repeated
	default:
		return true
	}
}

func asWindows(source, path string, offset int) error {
	return newError(source, "backslash", offset, `%s has "\" between names, which escapes the next character; want "/"%s`,
		quote(source), suchAs(strings.ReplaceAll(path, `\`, "/")))
}

func asExpression(source, path string, offset int) error {
	return newError(source, "regular_expression", offset, `%s looks like a regular expression; want a path pattern%s`, quote(source), suchAs(translated(path)))
}

// suchAs returns the end of a message that proposes a pattern, if it is legal.
func suchAs(source string) string {
	if _, err := Compile(source); err != nil {
		return ""
	}
	return ", such as " + quote(source)
}

// The parts of regular expressions that patterns have too.
var (
	expressionParts = lazyregexp.New(`\\\.|\.[*+]|\[\^/\][*+]|\([\w.|-]*\)|[\w/,@ -]+|.`)
	plainPart       = lazyregexp.New(`^[\w/,@ -]+$`)
)

// translated returns the pattern that a simple regular expression means; empty if it has parts
// that patterns lack.
func translated(path string) string {
	text, anchored := strings.CutPrefix(path, "^")
	text, ended := strings.CutSuffix(text, "$")
	var b strings.Builder
	for _, part := range expressionParts().FindAllString(text, -1) {
		atName := b.Len() == 0 || strings.HasSuffix(b.String(), "/")
		switch {
		case part == `\.`:
			if b.Len() == 0 && !anchored {
				b.WriteString("**/*")
			}
			b.WriteByte('.')
		case strings.HasPrefix(part, ".") && len(part) == 2 && atName:
			b.WriteString("**/*")
		case strings.HasPrefix(part, ".") && len(part) == 2, strings.HasPrefix(part, "[^/]"):
			b.WriteByte('*')
		case strings.HasPrefix(part, "("):
			b.WriteString("{" + strings.ReplaceAll(part[1:len(part)-1], "|", ",") + "}")
		case plainPart().MatchString(part):
			b.WriteString(part)
		default:
			return ""
		}
	}
	pattern := strings.ReplaceAll(b.String(), "**/*/", "**/")
	if strings.HasSuffix(pattern, "/") && !ended {
		pattern += "**"
	}
	return pattern
}
