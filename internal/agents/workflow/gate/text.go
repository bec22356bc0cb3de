package gate

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// span holds a run of text in one style.
type span struct {
	text       string
	code, bold bool
}

// textLine holds a line of a block without its markup.
type textLine struct {
	line  int // from 1
	spans []span
}

// lines returns the lines of a block, divided as in the document.
func (r *documentReader) lines(block ast.Node) []textLine {
	first := 1
	if lines := block.Lines(); lines != nil && lines.Len() > 0 {
		first = r.line(lines.At(0).Start)
	}
	s := spanner{source: r.source, lines: []textLine{{line: first}}}
	s.inlines(block)
	return s.lines
}

// spanner collects the spans of inline markup.
type spanner struct {
	source []byte
	lines  []textLine
}

func (s *spanner) add(p span) {
	last := &s.lines[len(s.lines)-1]
	last.spans = append(last.spans, p)
}

func (s *spanner) inlines(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			s.add(span{text: string(util.UnescapePunctuations(n.Segment.Value(s.source)))})
			if n.SoftLineBreak() || n.HardLineBreak() {
				s.lines = append(s.lines, textLine{line: s.lines[len(s.lines)-1].line + 1})
			}
		case *ast.String:
			s.add(span{text: string(n.Value)})
		case *ast.CodeSpan:
			s.add(span{text: s.plain(n), code: true})
		case *ast.AutoLink:
			s.add(span{text: string(n.Label(s.source))})
		case *ast.Emphasis:
			if n.Level == 2 && !hasCode(n) {
				s.add(span{text: s.plain(n), bold: true})
			} else {
				s.inlines(n)
			}
		default:
			s.inlines(n)
		}
	}
}

// plain returns the text of a node on one line.
func (s *spanner) plain(n ast.Node) string {
	inner := spanner{source: s.source, lines: []textLine{{}}}
	inner.inlines(n)
	return textOf(inner.lines)
}

func hasCode(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == ast.KindCodeSpan || hasCode(c) {
			return true
		}
	}
	return false
}

// textOf joins the text of lines with blanks.
func textOf(lines []textLine) string {
	texts := make([]string, 0, len(lines))
	for _, l := range lines {
		texts = append(texts, l.text())
	}
	return strings.Join(texts, " ")
}

// text returns the whole text of the line.
func (l textLine) text() string {
	var b strings.Builder
	for _, p := range l.spans {
		b.WriteString(p.text)
	}
	return b.String()
}

// words returns the text of the line without its code, because names and commands
// are no hints about types and checks.
func (l textLine) words() string {
	var b strings.Builder
	for _, p := range l.spans {
		if p.code {
			b.WriteString("`")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}
