package language

import (
	"slices"
	"strings"
)

// Parts are the parts of a text that do not count.
type Parts struct{ Comments, Docstrings, Imports, Space bool }

// Known has the name of the language of a file, and the parts that can be recognized in it.
type Known struct {
	Title                         string // empty: the language is unknown
	Comments, Docstrings, Imports bool   // these parts can be recognized
}

// KnownOf returns what is known of the language of a file, by its name.
func KnownOf(name string) Known { return of(name).known() }

func (l *language) known() Known {
	g := l.exact
	if g == nil {
		return Known{}
	}
	return Known{g.title, g.comments != nowhere && len(l.syntax.line)+len(l.syntax.block) > 0, g.docstrings, g.imports != nil}
}

// source is a text that is read strictly.
type source struct {
	*grammar

	text   string
	tokens []token
}

// Significant returns a text in which two versions of a file are equal if they differ only in
// parts that do not count. Of an unknown language, only white space is such a part. It returns
// false if it cannot separate the parts from the rest, such as where a string has no end.
func Significant(name, text string, without Parts) (string, bool) {
	row := of(name)
	if row.exact == nil || row.exact.comments == nowhere {
		if !without.Space {
			return text, true
		}
		return layoutOf(row.exact).plain(text), true
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "", false
	}
	tokens, ok := row.exact.lex(row.syntax, text)
	if !ok || row.exact.opening != nil && !row.exact.opening().MatchString(text) {
		return "", false
	}
	s := &source{grammar: row.exact, text: text, tokens: tokens}
	s.remove(without)
	if !without.Space {
		return s.cut(), true
	}
	var b strings.Builder
	s.write(&b)
	return b.String(), true
}

func layoutOf(g *grammar) layout {
	if g == nil {
		return unread
	}
	return g.layout
}

// remove marks the tokens that do not count.
func (s *source) remove(without Parts) {
	if without.Docstrings && s.docstrings {
		s.removeDocstrings()
	}
	var kept [][2]int // what a comment belongs to that counts: from where, and up to where
	if without.Imports && s.imports != nil {
		s.imports(s)
	}
	if s.grammar == &goGrammar {
		kept = s.preambles()
	}
	if !without.Comments {
		return
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.kind == remark && !s.obeyed(*t) && !slices.ContainsFunc(kept, func(k [2]int) bool { return k[0] <= t.from && t.to <= k[1] }) {
			t.removed = true
		}
	}
}

// obeyed reports whether a tool obeys a comment.
func (s *source) obeyed(t token) bool {
	text := s.of(t)
	if t.from == 0 && strings.HasPrefix(text, "#!") {
		return true
	}
	if s.behaviour != nil && s.behaviour().MatchString(text) {
		return true
	}
	return s.head != nil && strings.Count(s.text[:min(t.from, 4096)], "\n") < 2 && t.from < 4096 && s.head().MatchString(text)
}

func (s *source) of(t token) string { return s.text[t.from:t.to] }

// is reports whether the token at an index has a text.
func (s *source) is(i int, text string) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind != quoted && s.of(s.tokens[i]) == text
}

func (s *source) isKind(i int, k kind) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == k
}

// next returns the index of the next token that is no comment; the number of tokens if there is
// none. before is the opposite, or -1.
func (s *source) next(i int) int {
	for i++; i < len(s.tokens) && s.tokens[i].kind == remark; i++ {
	}
	return i
}

func (s *source) before(i int) int {
	for i--; i >= 0 && s.tokens[i].kind == remark; i-- {
	}
	return i
}

// newline reports whether a line ends between two tokens that have only comments between them.
// The first may be -1 and the second the number of tokens: a line ends before and after the text.
func (s *source) newline(i, j int) bool {
	if i < 0 || j >= len(s.tokens) {
		return true
	}
	for ; i < j; i++ {
		gap := s.text[s.tokens[i].to:s.tokens[i+1].from]
		if s.continued {
			gap = strings.ReplaceAll(strings.ReplaceAll(gap, "\\\r\n", ""), "\\\n", "")
		}
		if strings.Contains(gap, "\n") || i+1 < j && strings.Contains(s.of(s.tokens[i+1]), "\n") {
			return true
		}
	}
	return false
}

// removeRange marks tokens that do not count, with the comments among them as they are.
func (s *source) removeRange(from, to int) {
	for i := from; i <= to && i < len(s.tokens); i++ {
		if s.tokens[i].kind != remark {
			s.tokens[i].removed = true
		}
	}
}

// cut returns the text without the parts that do not count, the lines that have nothing else,
// and the blanks next to these parts.
func (s *source) cut() string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(s.tokens); i++ {
		if !s.tokens[i].removed {
			continue
		}
		j := i
		for j+1 < len(s.tokens) && s.tokens[j+1].removed {
			j++
		}
		from, to := s.tokens[i].from, s.tokens[j].to
		i = j
		start := strings.TrimRight(s.text[done:from], " \t")
		after := to + len(s.text[to:]) - len(strings.TrimLeft(s.text[to:], " \t\r"))
		first := done+len(start) == 0 || s.text[done+len(start)-1] == '\n'
		last := after == len(s.text) || s.text[after] == '\n'
		switch {
		case first && last:
			b.WriteString(start)
			to = min(after+1, len(s.text))
		case last:
			b.WriteString(start)
		default:
			b.WriteString(s.text[done:from])
			to = after
		}
		done = max(to, done)
	}
	b.WriteString(s.text[done:])
	return b.String()
}
