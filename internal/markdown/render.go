package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// HTML returns markdown that others wrote as HTML. It has no HTML of theirs, no images, and
// no attributes but those of links, to the address that resolve returns for a target; a link
// without an address is its text.
func HTML(body string, resolve func(target string) string) string {
	d := parse(string(Body(body)))
	source := []byte(d.source)
	var nodes []ast.Node
	d.each(func(n ast.Node) { nodes = append(nodes, n) })
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.HTMLBlock: // a comment
			n.Parent().RemoveChild(n.Parent(), n)
		case *ast.RawHTML:
			n.Parent().ReplaceChild(n.Parent(), n, tagText(d.text(n.Segments)))
		case *ast.Image:
			unwrap(n, "")
		case *ast.Link:
			unwrap(n, resolve(string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(n.Destination))))))
		case *ast.AutoLink:
			address := ""
			if n.AutoLinkType == ast.AutoLinkURL {
				address = resolve(string(n.URL(source)))
			}
			label := literal(n.Label(source))
			n.AppendChild(n, label)
			unwrap(n, address)
		}
	}
	var b bytes.Buffer
	if err := gitHub().Renderer().Render(&b, source, d.root); err != nil {
		return uncommanded.Replace("<pre>" + string(util.EscapeHTML(source)) + "</pre>")
	}
	return uncommanded.Replace(b.String())
}

// uncommanded writes what GitHub's runner would read as a command, in a page that is printed, so that
// browsers alone read it.
var uncommanded = strings.NewReplacer("::", "&#58;&#58;")

// tagText returns what a page shows for an inline tag: line breaks, no comments, and the
// letters of any other.
func tagText(source string) ast.Node {
	switch {
	case source == "<br>":
		return tag("<br>")
	case strings.HasPrefix(source, "<!--"):
		return literal(nil)
	}
	return literal([]byte(source))
}

// literal returns a node with a text, which the renderer escapes.
func literal(text []byte) ast.Node {
	n := ast.NewString(text)
	n.SetRaw(true)
	return n
}

// tag returns a node that is written as it is.
func tag(text string) ast.Node {
	n := ast.NewString([]byte(text))
	n.SetCode(true)
	return n
}

// unwrap replaces a node by its children, in a link if there is an address.
func unwrap(n ast.Node, address string) {
	parent := n.Parent()
	if address != "" {
		parent.InsertBefore(parent, n, tag(`<a href="`+string(util.EscapeHTML([]byte(address)))+`" rel="noopener">`))
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		n.RemoveChild(n, c)
		parent.InsertBefore(parent, n, c)
		c = next
	}
	if address != "" {
		parent.InsertBefore(parent, n, tag("</a>"))
	}
	parent.RemoveChild(parent, n)
}
