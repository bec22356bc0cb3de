package jsonscan

import (
	"slices"
	"strconv"
)

// TextOrNull reads a string, or null, which has no text. Any other value is skipped and [Scanner.Mistyped].
func (s *Scanner) TextOrNull() []byte {
	s.expect('"')
	return s.TextOrNil()
}

// BoolOrNull reads a truth value; null is false. Any other value is skipped and [Scanner.Mistyped].
func (s *Scanner) BoolOrNull() bool {
	s.expect('t', 'f')
	return s.Bool()
}

// IntOrNull reads an integer; null is nil. Any other value is skipped and [Scanner.Mistyped].
func (s *Scanner) IntOrNull() *int {
	text := string(s.Skip())
	n, err := strconv.Atoi(text)
	if err == nil {
		return &n
	}
	s.Mistyped = s.Mistyped || text != "null"
	return nil
}

// expect notes a value, other than null, that begins in another way.
func (s *Scanner) expect(begins ...byte) {
	next := s.Peek()
	s.Mistyped = s.Mistyped || next != 'n' && !slices.Contains(begins, next)
}
