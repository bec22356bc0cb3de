package markdown

import (
	"slices"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// gitHub reads GitHub Flavored Markdown. Tables have no styles, which a page may forbid.
var gitHub = sync.OnceValue(func() goldmark.Markdown {
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))
	return goldmark.New(goldmark.WithExtensions(tables, extension.Strikethrough, extension.Linkify, extension.TaskList))
})

// document is a parsed text.
type document struct {
	source string
	root   ast.Node
	links  int // targets that it defines for links
}

func parse(source string) document {
	c := parser.NewContext()
	root := gitHub().Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(c))
	return document{source, root, len(c.References())}
}

// each calls f for every node.
func (d document) each(f func(ast.Node)) {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // f has no errors
		if entering {
			f(n)
		}
		return ast.WalkContinue, nil
	})
}

// span of bytes in a text.
type extent struct{ from, to int }

// extents are in the order of a text, without overlaps.
type extents []extent

// has reports whether one of the extents contains the position.
func (e extents) has(at int) bool {
	i, found := slices.BinarySearchFunc(e, at, func(x extent, at int) int { return x.from - at })
	return found || i > 0 && at < e[i-1].to
}

// code returns the extents of code: blocks with the info of their fences, and spans.
func (d document) code() extents {
	var code extents
	add := func(segments *text.Segments) {
		for i := range segments.Len() {
			s := segments.At(i)
			code = append(code, extent{s.Start, s.Stop})
		}
	}
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				code = append(code, extent{n.Info.Segment.Start, n.Info.Segment.Stop})
			}
			add(n.Lines())
		case *ast.CodeBlock:
			add(n.Lines())
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					code = append(code, extent{t.Segment.Start, t.Segment.Stop})
				}
			}
		}
	})
	slices.SortFunc(code, func(a, b extent) int { return a.from - b.from })
	return code
}
