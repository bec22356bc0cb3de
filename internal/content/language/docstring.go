package language

import "slices"

// removeDocstrings marks the strings that are the first statement of a module, a class or a
// function.
func (s *source) removeDocstrings() {
	depth := 0
	expected := true // the next statement may be one
	defines := false // the line defines a class or a function
	colon := false   // and its block begins on the line
	s.all(func(prev, i int) {
		if depth == 0 && s.newline(prev, i) {
			if prev >= 0 {
				expected = defines && s.is(prev, ":")
			}
			start := i
			if s.is(start, "async") {
				start = s.next(start)
			}
			defines, colon = s.is(start, "def") || s.is(start, "class"), false
		}
		if expected {
			s.removeString(i)
		}
		expected = false
		if depth == 0 && defines && !colon && s.is(i, ":") {
			colon, expected = true, true
		}
		depth = max(0, depth+s.nesting(i))
	})
}

// removeString marks a statement that is a string, which may be in several parts.
func (s *source) removeString(i int) {
	from, to := i, -1
	for ; i < len(s.tokens); i = s.next(i) {
		if to >= 0 && (s.is(i, ";") || s.newline(to, i)) {
			break
		}
		switch {
		case s.isKind(i, quoted):
		case s.isKind(i, word) && s.isKind(s.next(i), quoted) && s.tokens[i].to == s.tokens[i+1].from && slices.Contains([]string{"r", "R", "u", "U"}, s.of(s.tokens[i])):
		default:
			return
		}
		to = i
	}
	s.removeRange(from, to)
}
