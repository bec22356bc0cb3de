// Package jsonscan reads lines of JSON and walks them without building values. It skips the
// large strings of logs faster than a general decoder.
package jsonscan

import "bytes"

// maxDepth bounds nesting, as encoding/json does.
const maxDepth = 10_000

// Scanner walks one JSON text. It accepts all of JSON however it is spaced and escaped,
// and within strings also invalid escapes and invalid UTF-8. Methods read the value at the
// current position and move past it.
type Scanner struct {
	b     []byte
	i     int
	depth int
	bad   bool

	// Mistyped is true if a value was not of the type that was asked for; see [Scanner.TextOrNull].
	Mistyped bool
}

// New returns a Scanner at the beginning of text.
func New(text []byte) Scanner { return Scanner{b: text} }

func (s *Scanner) fail() {
	s.bad = true
	s.i = len(s.b)
}

func (s *Scanner) space() {
	for s.i < len(s.b) && s.b[s.i] <= ' ' {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// Peek returns the first byte of the next value, 0 at the end.
func (s *Scanner) Peek() byte {
	if s.i < len(s.b) && s.b[s.i] > ' ' { // most values follow at once
		return s.b[s.i]
	}
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// Raw reads a string and returns its text as written, without the quotes.
func (s *Scanner) Raw() []byte {
	if s.Peek() != '"' {
		s.fail()
		return nil
	}
	text := s.b[s.i+1:]
	for i := 0; ; i++ {
		end := bytes.IndexByte(text[i:], '"')
		if end < 0 {
			s.fail()
			return nil
		}
		if i += end; i == 0 || text[i-1] != '\\' || !endsEscaped(text[:i]) {
			s.i += i + 2
			return text[:i]
		}
	}
}

// endsEscaped reports whether the character after a text that ends with a backslash is escaped.
func endsEscaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// Skip reads any value and returns it as written.
func (s *Scanner) Skip() []byte {
	c := s.Peek()
	start := s.i
	switch c {
	case '"':
		s.Raw()
	case '{':
		s.Object(nil)
	case '[':
		s.Array(nil)
	default:
		s.literal()
	}
	if s.bad {
		return nil
	}
	return s.b[start:s.i]
}

func (s *Scanner) literal() {
	start := s.i
	for ; s.i < len(s.b); s.i++ {
		if c := s.b[s.i]; c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			break
		}
	}
	switch word := s.b[start:s.i]; string(word) {
	case "true", "false", "null":
	default:
		if !isNumber(word) {
			s.fail()
		}
	}
}

// isNumber reports whether a word is a number in JSON.
func isNumber(word []byte) bool {
	word = bytes.TrimPrefix(word, []byte("-"))
	whole := digits(word)
	if whole == 0 || whole > 1 && word[0] == '0' {
		return false
	}
	word = word[whole:]
	if len(word) > 0 && word[0] == '.' {
		fraction := digits(word[1:])
		if fraction == 0 {
			return false
		}
		word = word[1+fraction:]
	}
	if len(word) > 0 && word[0]|0x20 == 'e' {
		word = word[1:]
		if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		exponent := digits(word)
		return exponent > 0 && exponent == len(word)
	}
	return len(word) == 0
}

func digits(word []byte) int {
	n := 0
	for n < len(word) && word[n] >= '0' && word[n] <= '9' {
		n++
	}
	return n
}

// Object reads an object and calls member, if not nil, at the value of each key. member may
// read the value; otherwise it is skipped. The key is unescaped.
func (s *Scanner) Object(member func(key []byte)) {
	if !s.opens('{') {
		return
	}
	for first := true; !s.bad; first = false {
		if first && s.Peek() == '}' {
			break
		}
		key := s.Raw()
		if s.Peek() != ':' {
			s.fail()
			return
		}
		s.i++
		s.space()
		at := s.i
		if member != nil {
			member(Unescape(key))
		}
		if s.i == at {
			s.Skip()
		}
		if !s.more('}') {
			break
		}
	}
	s.closes()
}

// Members reads an object like [Scanner.Object], and leaves any other value, which an object around it
// then skips.
func (s *Scanner) Members(member func(key string)) {
	if s.Peek() == '{' {
		s.Object(func(key []byte) { member(string(key)) })
	}
}

// Array reads an array and calls element, if not nil, at each value, as [Scanner.Object]
// does.
func (s *Scanner) Array(element func()) {
	if !s.opens('[') {
		return
	}
	for first := true; !s.bad; first = false {
		if first && s.Peek() == ']' {
			break
		}
		s.space()
		at := s.i
		if element != nil {
			element()
		}
		if s.i == at {
			s.Skip()
		}
		if !s.more(']') {
			break
		}
	}
	s.closes()
}

func (s *Scanner) opens(bracket byte) bool {
	if s.Peek() != bracket || s.depth >= maxDepth {
		s.fail()
		return false
	}
	s.i++
	s.depth++
	return true
}

// more reads a comma; without one the container must close.
func (s *Scanner) more(closing byte) bool {
	switch s.Peek() {
	case ',':
		s.i++
		return true
	case closing:
	default:
		s.fail()
	}
	return false
}

func (s *Scanner) closes() {
	if !s.bad {
		s.i++
		s.depth--
	}
}

// Text reads a string and returns its text. ok is false if the value, which is skipped, is
// not a string.
func (s *Scanner) Text() (text []byte, ok bool) {
	if s.Peek() != '"' {
		s.Skip()
		return nil, false
	}
	return Unescape(s.Raw()), true
}

// TextOrNil reads any value and returns its text if it is a string, and nil otherwise.
func (s *Scanner) TextOrNil() []byte {
	text, _ := s.Text()
	return text
}

// FirstText reads a string, or a list of objects, and returns the text as written: the
// string itself, or the first text or output of an object.
func (s *Scanner) FirstText() (text []byte) {
	switch s.Peek() {
	case '"':
		return s.Raw()
	case '[':
		s.Array(func() {
			if s.Peek() != '{' {
				return
			}
			s.Object(func(key []byte) {
				if (string(key) == "text" || string(key) == "output") && s.Peek() == '"' && text == nil {
					text = s.Raw()
				}
			})
		})
	}
	return text
}

// Bool reads any value and reports whether it is true.
func (s *Scanner) Bool() bool { return string(s.Skip()) == "true" }

// AtEnd reports whether the text was read to its end and was JSON.
func (s *Scanner) AtEnd() bool { return !s.bad && s.Peek() == 0 && s.i == len(s.b) }
