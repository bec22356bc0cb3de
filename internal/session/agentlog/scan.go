package agentlog

import "bytes"

// maxDepth bounds nesting, as encoding/json does.
const maxDepth = 10_000

// A scanner walks one JSON text without building it. It sees every row whole,
// so that no spelling of a key or a value (spaced, escaped) escapes it, and it
// accepts every text that is JSON; inside strings it accepts more.
type scanner struct {
	b     []byte
	i     int
	depth int
	bad   bool
}

func (s *scanner) fail() {
	s.bad = true
	s.i = len(s.b)
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// peek is the first byte of the value to come, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// str passes a string and gives its text as written, without the quotes.
func (s *scanner) str() []byte {
	if s.peek() != '"' {
		s.fail()
		return nil
	}
	start := s.i + 1
	for i := start; ; {
		end := bytes.IndexByte(s.b[i:], '"')
		if end < 0 {
			s.fail()
			return nil
		}
		i += end
		back := i
		for back > start && s.b[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			s.i = i + 1
			return s.b[start:i]
		}
		i++
	}
}

// skip passes any value and gives it as written.
func (s *scanner) skip() []byte {
	c := s.peek()
	start := s.i
	switch c {
	case '"':
		s.str()
	case '{':
		s.object(nil)
	case '[':
		s.array(nil)
	default:
		s.literal()
	}
	if s.bad {
		return nil
	}
	return s.b[start:s.i]
}

func (s *scanner) literal() {
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

// isNumber is JSON's grammar of numbers.
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

// object passes an object. member is called at the value of each key, which it
// may pass; what it leaves is skipped. The key has its escapes undone.
func (s *scanner) object(member func(key []byte)) {
	if !s.opens('{') {
		return
	}
	for first := true; !s.bad; first = false {
		if first && s.peek() == '}' {
			break
		}
		key := s.str()
		if s.peek() != ':' {
			s.fail()
			return
		}
		s.i++
		s.space()
		at := s.i
		if member != nil {
			member(unescaped(key))
		}
		if s.i == at {
			s.skip()
		}
		if !s.more('}') {
			break
		}
	}
	s.closes()
}

// array passes an array; element is called at each value, as for object.
func (s *scanner) array(element func()) {
	if !s.opens('[') {
		return
	}
	for first := true; !s.bad; first = false {
		if first && s.peek() == ']' {
			break
		}
		s.space()
		at := s.i
		if element != nil {
			element()
		}
		if s.i == at {
			s.skip()
		}
		if !s.more(']') {
			break
		}
	}
	s.closes()
}

func (s *scanner) opens(bracket byte) bool {
	if s.peek() != bracket || s.depth >= maxDepth {
		s.fail()
		return false
	}
	s.i++
	s.depth++
	return true
}

// more passes a comma; without one the container must close.
func (s *scanner) more(closing byte) bool {
	switch s.peek() {
	case ',':
		s.i++
		return true
	case closing:
	default:
		s.fail()
	}
	return false
}

func (s *scanner) closes() {
	if !s.bad {
		s.i++
		s.depth--
	}
}

// text is the string to come with its escapes undone; ok is false, and the
// value skipped, when it is not a string.
func (s *scanner) text() (text []byte, ok bool) {
	if s.peek() != '"' {
		s.skip()
		return nil, false
	}
	return unescaped(s.str()), true
}

// string is the string to come with its escapes undone, nil for anything else.
func (s *scanner) string() []byte {
	text, _ := s.text()
	return text
}

// words is a text as written, or the first text of a list of parts.
func (s *scanner) words() (text []byte) {
	switch s.peek() {
	case '"':
		return s.str()
	case '[':
		s.array(func() {
			if s.peek() != '{' {
				return
			}
			s.object(func(key []byte) {
				if (string(key) == "text" || string(key) == "output") && s.peek() == '"' && text == nil {
					text = s.str()
				}
			})
		})
	}
	return text
}

// flag is the boolean to come; anything else is false.
func (s *scanner) flag() bool { return string(s.skip()) == "true" }

// ends says whether all of the text was passed and was JSON.
func (s *scanner) ends() bool { return !s.bad && s.peek() == 0 && s.i == len(s.b) }
