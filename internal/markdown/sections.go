package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// Section is a heading with the text below it, up to the next heading of its level or above.
type Section struct {
	ID      string // as GitHub makes it from the text: "getting-started"
	Text    string // of the heading, without marks
	Level   int    // from 1
	Line    int    // of the heading, from 1
	Body    int    // the line after the heading
	EndLine int    // the last
}

// Sections lists the sections of a document in its order, each before those inside it.
func Sections(source string) []Section {
	source = withoutFrontMatter(source)
	d := parse(source)
	ids := map[string]int{}
	var list []Section
	lines, at := 1, 0
	d.each(func(n ast.Node) {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			return
		}
		start := h.Lines().At(0).Start
		lines += strings.Count(source[at:start], "\n")
		at = start
		text := d.plain(h)
		body := lines + h.Lines().Len()
		if before := source[strings.LastIndexByte(source[:start], '\n')+1 : start]; !strings.Contains(before, "#") {
			body++ // it is underlined
		}
		list = append(list, Section{ID: idOf(text, ids), Text: text, Level: h.Level, Line: lines, Body: body})
	})
	last := strings.Count(strings.TrimRight(source, "\n"), "\n") + 1
	for i := range list {
		list[i].EndLine = last
		for _, next := range list[i+1:] {
			if next.Level <= list[i].Level {
				list[i].EndLine = max(next.Line-1, list[i].Line)
				break
			}
		}
	}
	return list
}

// withoutFrontMatter returns a document in which settings before its text are empty lines.
func withoutFrontMatter(source string) string {
	rest, ok := strings.CutPrefix(source, "---\n")
	if !ok {
		return source
	}
	settings, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return source
	}
	return strings.Repeat("\n", strings.Count(settings, "\n")+3) + body
}

// plain returns the text of a node without marks.
func (d document) plain(of ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(of, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no function has errors
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(t.Segment.Value([]byte(d.source)))
				if t.SoftLineBreak() || t.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(t.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(t.Label([]byte(d.source)))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// idOf returns the id of a heading, which differs from those before.
func idOf(text string, ids map[string]int) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	first := id
	for n, taken := ids[first]; taken; _, taken = ids[id] {
		n++
		id = first + "-" + strconv.Itoa(n)
		ids[first] = n
	}
	ids[id] = 0
	return id
}
