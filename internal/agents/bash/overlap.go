package bash

import (
	"strings"
	"unicode/utf8"
)

// segment is one part of a path between slashes; deep is any number of them.
type segment struct {
	deep  bool
	chars []char
}

// char is one character of a segment, or with many any number of such.
type char struct {
	only rune // 0: any
	many bool
	dot  bool // also matches a dot at the beginning of a name
	in   func(rune) bool
}

func segmentsOf(abs string) []segment {
	var list []segment
	for s := range strings.SplitSeq(strings.Trim(abs, "/"), "/") {
		if s == "" {
			continue
		}
		if s == string(anyDepth) {
			list = append(list, segment{deep: true})
			continue
		}
		list = append(list, segment{chars: charsOf(s)})
		if strings.ContainsRune(s, unknownWord) || strings.ContainsRune(s, unknownWords) {
			list[len(list)-1] = segment{deep: true} // may hold slashes
		}
	}
	return list
}

func charsOf(s string) []char {
	var list []char
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch c {
		case anyRun:
			list = append(list, char{many: true})
		case anyName, unknownWord, unknownWords:
			list = append(list, char{many: true, dot: true})
		case plainText:
			list = append(list, char{}, char{many: true})
		case anyOne:
			list = append(list, char{})
		case classOpen:
			if in, size := class(s[i+n:]); size > 0 {
				list = append(list, char{in: in})
				n += size
				break
			}
			list = append(list, char{only: '['})
		default:
			list = append(list, char{only: c})
		}
		i += n
	}
	return list
}

// class reads the rest of [a-z] and returns its length; 0 if it does not end.
func class(s string) (in func(rune) bool, size int) {
	marked := s
	s = unglob(s)
	end := classEnd(s)
	if end < 0 {
		return nil, 0
	}
	body := s[:end]
	runes := []rune(strings.TrimLeft(body[:1], "!^") + body[1:])
	negated := len(runes) < len([]rune(body))
	in = func(c rune) bool {
		for i := 0; i < len(runes); i++ {
			if i+2 < len(runes) && runes[i+1] == '-' {
				if runes[i] <= c && c <= runes[i+2] {
					return !negated
				}
				i += 2
				continue
			}
			if runes[i] == c {
				return !negated
			}
		}
		return negated || strings.Contains(body, "[:")
	}
	for i := range marked {
		if len(unglob(marked[:i])) > end {
			return in, i
		}
	}
	return in, len(marked)
}

// classEnd returns the index of the bracket that ends a class, which may hold [:alpha:].
func classEnd(s string) int {
	for i := 0; i < len(s); i++ {
		if end := strings.Index(s[i:], ":]"); strings.HasPrefix(s[i:], "[:") && end > 0 {
			i += end + 1
			continue
		}
		if s[i] == ']' && i > 0 {
			return i
		}
	}
	return -1
}

// overlaps reports whether two paths with wildcards may be the same.
func overlaps(a, b []segment) bool {
	return align(a, b,
		func(s segment) bool { return s.deep },
		func(segment, []segment, int) bool { return true },
		func(x, y segment) bool { return meet(x.chars, y.chars) })
}

// meet reports whether two segments may be the same name.
func meet(a, b []char) bool {
	return align(a, b,
		func(c char) bool { return c.many },
		func(star char, name []char, at int) bool { return at > 0 || star.dot || !dotted(name[at]) },
		same)
}

// align reports whether two lists may be the same, where elements that are many stand for
// any number of others: those that they cover. Two of the rest must be equal.
func align[T any](a, b []T, many func(T) bool, covers func(x T, list []T, at int) bool, equal func(x, y T) bool) bool {
	type place struct{ i, j int }
	seen := map[place]bool{}
	var from func(i, j int) bool
	from = func(i, j int) bool {
		if seen[place{i, j}] {
			return false
		}
		seen[place{i, j}] = true
		switch {
		case i == len(a) && j == len(b):
			return true
		case i < len(a) && many(a[i]):
			return from(i+1, j) || j < len(b) && covers(a[i], b, j) && from(i, j+1)
		case j < len(b) && many(b[j]):
			return from(i, j+1) || i < len(a) && covers(b[j], a, i) && from(i+1, j)
		case i == len(a) || j == len(b):
			return false
		}
		return equal(a[i], b[j]) && from(i+1, j+1)
	}
	return from(0, 0)
}

func dotted(c char) bool { return c.only == '.' }

// same reports whether two characters, neither of them many, may be equal.
func same(a, b char) bool {
	switch {
	case a.only != 0 && b.only != 0:
		return a.only == b.only
	case a.only != 0:
		return b.in == nil || b.in(a.only)
	case b.only != 0:
		return a.in == nil || a.in(b.only)
	default:
		return true
	}
}
