package html

import (
	"encoding/json"
	"io"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// shown is a text on the page. Every text, our own too, goes through it or one
// of the two below: finding.Visible makes seen what acts on readers unseen, and
// gomponents escapes what would be markup.
func shown(s string) g.Node { return g.Text(finding.Visible(s)) }

// shownLines is a text of several lines.
func shownLines(s string) g.Node { return g.Text(strings.Join(report.VisibleLines(s), "\n")) }

// sortedBy is what the script sorts and searches a cell by.
func sortedBy(value string) g.Node { return h.Data("value", finding.Visible(value)) }

func shownCode(s string) g.Node { return h.Code(shown(s)) }

// shownData is JSON inside a script element. encoding/json escapes <, >, & and
// U+2028 and U+2029, so that no text in it can end the element.
func shownData(t timelines) g.Node {
	return g.NodeFunc(func(w io.Writer) error { return json.NewEncoder(w).Encode(t) })
}

// classed is an attribute, where the class is not empty.
func classed(class string) g.Node { return g.If(class != "", h.Class(class)) }

// lined puts each node on a line of its own, for those who read the source or
// compare two pages; a browser makes nothing of it between blocks.
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

// commas puts them between nodes.
func commas(nodes []g.Node) g.Group {
	var list g.Group
	for i, n := range nodes {
		if i > 0 {
			list = append(list, g.Text(", "))
		}
		list = append(list, n)
	}
	return list
}

// details unfold a list of this many entries; up to few are unfolded at once.
func details(entries, few int, what string, list g.Node) g.Node {
	return h.Details(g.If(entries <= few, g.Attr("open")), lined(h.Summary(shown(report.Count(entries, what))), list))
}
