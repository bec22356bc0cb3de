package pattern

import (
	"strings"
	"unicode/utf8"
)

// maxLength limits the length of a pattern in bytes; paths are far shorter. Some steps take the square of
// it.
const maxLength = 1 << 13

// parse parses a pattern into tokens.
func parse(source string) ([]token, error) {
	switch {
	case source == "":
		return nil, newError(source, "empty_pattern", 0, `empty pattern; want a path such as "src/**/*.py"`)
	case len(source) > maxLength:
		return nil, newError(source, "too_long", maxLength, "%s… is %d bytes long; want at most %d", quote(source[:40]), len(source), maxLength)
	}
	p := parser{source: source}
	tokens, err := p.sequence(0, len(source))
	if err != nil {
		return nil, err
	}
	if err := bind(source, tokens); err != nil {
		return nil, err
	}
	return tokens, nil
}

// parser parses parts of one source.
type parser struct{ source string }

// sequence parses the text between two offsets.
func (p parser) sequence(from, to int) ([]token, error) {
	var tokens []token
	for i := from; i < to; {
		t, err := p.next(i, to)
		if err != nil {
			return nil, err
		}
		i = t.end()
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// next parses the token at offset i.
func (p parser) next(i, to int) (token, error) {
	t := token{offset: i, source: p.source[i : i+1]}
	switch p.source[i] {
	case '/':
		t.kind, t.text = slash, "/"
	case '?':
		t.kind = anyOne
	case '*':
		t.kind = star
		if run := to - i - len(strings.TrimLeft(p.source[i:to], "*")); run > 1 {
			t.kind, t.source = doubleStar, p.source[i:i+run]
		}
	case '[':
		return p.class(i, to)
	case '{':
		return p.braces(i)
	case '}':
		return t, newError(p.source, "unmatched_close_brace", i, `"}" without a "{" before it; want "\}" for the character`)
	case '\\':
		return p.escape(i, to)
	default:
		run := strings.IndexAny(p.source[i:to], `/?*[{}\`)
		if run < 0 {
			run = to - i
		}
		t.source = p.source[i : i+run]
		t.text = t.source
	}
	return t, nil
}

// escape parses a backslash and the character after it.
func (p parser) escape(i, to int) (token, error) {
	if i+1 == to {
		return token{}, newError(p.source, "trailing_backslash", i,
			`%s ends with the escape "\"; want "\\" for the character, "/" to separate segments`, quote(p.source))
	}
	_, n := utf8.DecodeRuneInString(p.source[i+1 : to])
	t := token{kind: literal, offset: i, source: p.source[i : i+1+n], text: p.source[i+1 : i+1+n]}
	if t.text == "/" {
		t.kind = slash
	}
	return t, nil
}

// class parses a character class.
func (p parser) class(i, to int) (token, error) {
	end := classEnd(p.source[:to], i)
	if end < 0 {
		return token{}, newError(p.source, "bad_class", i, `%s has no "]"; want "[a-z]", or "\[" for the character`, quote(p.source[i:to]))
	}
	t := token{kind: oneOf, offset: i, source: p.source[i:end]}
	var ok bool
	if t.class, ok = parseClass(t.source); !ok {
		return token{}, newError(p.source, "bad_class", i, `the class %s is empty; want "[a-z]", or "\]" for the character in it`, quote(t.source))
	}
	return t, nil
}

// braces parses a capture, or alternatives if there is a comma.
func (p parser) braces(open int) (token, error) {
	var commas []int
	inside := classes{text: p.source}
	for i := open + 1; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case '[':
			if end := inside.end(i); end >= 0 {
				i = end - 1
			}
		case ',':
			commas = append(commas, i)
		case '{':
			return token{}, newError(p.source, "nested_brace", i,
				`%s has nested braces; want each "{" closed before the next, "\{" for the character`, quote(p.source[open:i+1]))
		case '}':
			t := token{offset: open, source: p.source[open : i+1]}
			if commas == nil {
				return p.capture(t)
			}
			return p.choice(t, append(commas, i))
		}
	}
	return token{}, newError(p.source, "unclosed_brace", open,
		`%s has no "}"; want "{name}", "{a,b}", or "\{" for the character`, quote(p.source[open:]))
}

// choice parses alternatives that end at the offsets in ends.
func (p parser) choice(t token, ends []int) (token, error) {
	t.kind = choice
	from := t.offset + 1
	for _, end := range ends {
		if from == end {
			return t, newError(p.source, "empty_alternative", end, `%s has an empty alternative; want text on both sides of each ","`, quote(t.source))
		}
		tokens, err := p.sequence(from, end)
		if err != nil {
			return t, err
		}
		tokens[0].opens = true
		t.choices = append(t.choices, tokens)
		from = end + 1
	}
	return t, nil
}
