package language

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// write writes the tokens that count, with what white space means between them.
func (s *source) write(b *strings.Builder) {
	switch s.layout {
	case free:
		s.writeFree(b)
	case semicolon:
		s.writeSemicolons(b)
	case hazard:
		s.writeHazards(b)
	case blocks:
		s.writeBlocks(b)
	default:
		s.writeLines(b)
	}
	s.writeComments(b)
}

func put(b *strings.Builder, text string) {
	b.WriteString(text)
	b.WriteByte(0)
}

// all visits the tokens that are no comments, with the index of the one before, or -1.
func (s *source) all(visit func(prev, i int)) {
	prev := -1
	for i := range s.tokens {
		if s.tokens[i].kind != remark {
			visit(prev, i)
			prev = i
		}
	}
}

// writeComments writes the comments that count, with their place among the tokens.
func (s *source) writeComments(b *strings.Builder) {
	place := 0
	for i := range s.tokens {
		t := s.tokens[i]
		switch {
		case t.removed:
		case t.kind != remark:
			place++
		default:
			var lines []string
			for line := range strings.Lines(s.of(t)) {
				lines = append(lines, strings.TrimSpace(line))
			}
			start := strings.LastIndexByte(s.text[:t.from], '\n') + 1
			alone := strings.TrimSpace(s.text[start:t.from]) == ""
			put(b, fmt.Sprint(place, alone, strings.Join(lines, "\n")))
		}
	}
}

func (s *source) writeFree(b *strings.Builder) {
	directive := false
	s.all(func(prev, i int) {
		starts := s.newline(prev, i)
		kept := !s.tokens[i].removed
		if directive && starts {
			directive = false
			put(b, "\n")
		}
		switch {
		case !kept:
			return
		case s.directives && starts && s.is(i, "#"):
			directive = true
			put(b, "\n")
		case directive && s.tokens[prev].to < s.tokens[i].from:
			put(b, " ")
		}
		put(b, s.of(s.tokens[i]))
	})
}

// goKeywords are the words of Go after which the end of a line ends no statement.
var goKeywords = splitWords("case chan const default defer else for func go goto if import interface map package range select struct switch type var")

func (s *source) writeSemicolons(b *strings.Builder) {
	s.all(func(_, i int) {
		t := s.tokens[i]
		if t.removed {
			return
		}
		put(b, s.of(t))
		ends := t.kind == quoted || t.kind == word && !slices.Contains(goKeywords, s.of(t)) ||
			t.kind == mark && slices.Contains([]string{")", "]", "}", "++", "--"}, s.of(t))
		if ends && s.newline(i, s.next(i)) {
			put(b, ";")
		}
	})
}

// The words of JavaScript and TypeScript after and before which the end of a line may end a
// statement in a program that is also one without it.
var (
	hazardsAfter  = splitWords("return break continue throw yield async get set static accessor type declare abstract namespace module interface let using await readonly public private protected override")
	hazardsBefore = splitWords("as satisfies is")
)

func (s *source) writeHazards(b *strings.Builder) {
	s.all(func(prev, i int) {
		t := s.tokens[i]
		if t.removed {
			return
		}
		if prev >= 0 && !s.tokens[prev].removed && s.newline(prev, i) {
			after := s.tokens[prev].kind == word && slices.Contains(hazardsAfter, s.of(s.tokens[prev]))
			before := t.kind == word && slices.Contains(hazardsBefore, s.of(t)) || s.is(i, "++") || s.is(i, "--")
			if after || before {
				put(b, "\n")
			}
		}
		put(b, s.of(t))
	})
}

// writeBlocks writes the lines of Python, and where their indentation begins and ends blocks.
func (s *source) writeBlocks(b *strings.Builder) {
	indents := []int{0}
	depth := 0
	written := false // of the line
	s.all(func(prev, i int) {
		t := s.tokens[i]
		if depth == 0 && s.newline(prev, i) {
			if written {
				put(b, "\n")
			}
			written = false
			column := s.column(t.from)
			for column < indents[len(indents)-1] {
				indents = indents[:len(indents)-1]
				put(b, "<")
			}
			if column > indents[len(indents)-1] {
				indents = append(indents, column)
				put(b, ">")
			}
		}
		depth = max(0, depth+s.nesting(i))
		if !t.removed {
			written = true
			put(b, s.of(t))
		}
	})
	if written {
		put(b, "\n")
	}
}

// column returns the width of the blanks before a place, with tabs as Python counts them.
func (s *source) column(at int) int {
	column := 0
	for _, c := range s.text[strings.LastIndexByte(s.text[:at], '\n')+1 : at] {
		switch c {
		case '\t':
			column = column/8*8 + 8
		case '\f':
			column = 0
		case '\ufeff':
		default:
			column++
		}
	}
	return column
}

// nesting returns by how much a token changes the depth of brackets.
func (s *source) nesting(i int) int {
	if s.tokens[i].kind != mark {
		return 0
	}
	switch s.of(s.tokens[i]) {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

func (s *source) writeLines(b *strings.Builder) {
	s.all(func(prev, i int) {
		t := s.tokens[i]
		if t.removed {
			return
		}
		start := strings.LastIndexByte(s.text[:t.from], '\n') + 1
		switch {
		case s.newline(prev, i):
			put(b, "\n")
			if indent := s.text[start:t.from]; s.layout != lines && strings.TrimSpace(indent) == "" {
				put(b, indent)
			}
		case s.tokens[prev].to == t.from:
		case s.layout == verbatim && prev == i-1:
			put(b, s.text[s.tokens[prev].to:t.from])
		default:
			put(b, " ")
		}
		put(b, s.of(t))
	})
}

// plain returns a text whose strings and comments are not known without the white space that
// means nothing in it.
func (l layout) plain(text string) string {
	var b strings.Builder
	blank := true // as at the beginning
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		body := strings.TrimRight(line, " \t")
		if body == "" {
			if l == prose && !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		switch {
		case l == prose:
			b.WriteString(body)
			if len(line) > len(body)+1 {
				b.WriteString("  ") // it breaks the line
			}
		case strings.ContainsAny(body, "\"'`"):
			b.WriteString(body)
		default:
			text := strings.TrimLeftFunc(body, unicode.IsSpace)
			b.WriteString(body[:len(body)-len(text)] + strings.Join(strings.Fields(text), " "))
		}
		b.WriteByte('\n')
	}
	if l == prose {
		return strings.TrimRight(b.String(), "\n")
	}
	return b.String()
}
