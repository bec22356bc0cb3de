package html

import (
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// text renders a line of text. All text of the page goes through text, rendered or
// sortedBy: package plain escapes characters that cannot be seen, and gomponents markup.
func text(s string) g.Node { return g.Text(string(plain.Line(s))) }

// rendered renders markdown.
func rendered(s string, resolve func(target string) string) g.Node {
	return g.Raw(markdown.HTML(s, resolve))
}

// sortedBy sets the value by which the script sorts and searches a cell.
func sortedBy(value string) g.Node { return h.Data("value", string(plain.Line(value))) }

func code(s string) g.Node { return h.Code(text(s)) }

// late makes a node when it is written, so that a page of many is never in memory.
func late(node func() g.Node) g.Node {
	return g.NodeFunc(func(w io.Writer) error { return node().Render(w) })
}

// classed returns the class attribute; none if the class is empty.
func classed(class string) g.Node { return g.If(class != "", h.Class(class)) }

// lined puts each node on its own line, so that the source can be read and compared.
// Browsers ignore white space between blocks.
func lined(nodes ...g.Node) g.Group {
	lines := g.Group{g.Text("\n")}
	for _, n := range nodes {
		if group, ok := n.(g.Group); ok {
			lines = append(lines, lined(group...)[1:]...)
		} else if n != nil {
			lines = append(lines, n, g.Text("\n"))
		}
	}
	return lines
}

// commas separates nodes by commas.
func commas(nodes []g.Node) g.Group { return joined(nodes, ", ") }

// joined puts text between nodes.
func joined(nodes []g.Node, between string) g.Group {
	var list g.Group
	for i, n := range nodes {
		if i > 0 {
			list = append(list, g.Text(between))
		}
		list = append(list, n)
	}
	return list
}

// details renders a collapsible list. Lists of up to few entries start open.
func details(entries, few int, what string, list g.Node) g.Node {
	return h.Details(g.If(entries <= few, g.Attr("open")), lined(h.Summary(text(report.Count(entries, what))), list))
}
