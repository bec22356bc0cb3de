package yaml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// node converts a node of the library.
func (d *document) node(n ast.Node) *Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return d.mapping(n, n.Values)
	case *ast.MappingValueNode:
		return d.mapping(n, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		items := &Node{Kind: List, At: d.place(n.GetToken())}
		for _, item := range n.Values {
			items.Items = append(items.Items, d.node(item))
		}
		return items
	case *ast.LiteralNode:
		return &Node{Kind: Text, Text: n.Value.Value, At: d.place(n.Start)}
	case *ast.StringNode, *ast.NullNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return d.scalar(n.GetToken())
	default:
		// Tokens of all other kinds are forbidden. A file must not load with one
		// left out, should a new version of the library produce it.
		at := d.place(n.GetToken())
		d.Add(at, CodeSyntax, "a YAML %s is not allowed", n.Type())
		return &Node{Kind: Broken, At: at}
	}
}

func (d *document) mapping(n ast.Node, values []*ast.MappingValueNode) *Node {
	m := &Node{Kind: Mapping, At: d.start(n)}
	flow, ok := n.(*ast.MappingNode)
	inFlow := ok && flow.IsFlowStyle
	if inFlow && flow.End != nil {
		if end := d.place(flow.End); end.Line == m.At.Line && end.Column > m.At.Column {
			m.Text = d.source[m.At.Line-d.first][m.At.Column-1 : end.Column]
		}
	}
	for _, v := range values {
		key, value := d.node(v.Key), d.node(v.Value)
		if !inFlow && value.At.Line > key.At.Line && value.At.Column <= key.At.Column && value.Kind != List {
			d.Add(value.At, CodeSyntax, "the value of %q starts here; want it indented deeper than its key", key.Text)
		}
		d.entry(m, key, value)
	}
	return m
}

// start returns where a node begins. For a block mapping the library reports the
// first colon, so its first key is used.
func (d *document) start(n ast.Node) Place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return d.start(m.Values[0])
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return d.place(v.Key.GetToken())
	}
	return d.place(n.GetToken())
}

// entry adds a key to a mapping, or reports that the mapping has it already.
func (d *document) entry(m, key, value *Node) {
	if value.Kind == Null && value.Text == "" {
		value.At = key.At // a missing value has no useful place in the library
	}
	first := slices.IndexFunc(m.Entries, func(e Entry) bool { return e.Name == key.Text })
	if first >= 0 {
		d.Add(key.At, CodeDuplicateKey, "duplicate key %q; the first is on line %d", key.Text, m.Entries[first].At.Line)
		return
	}
	m.Entries = append(m.Entries, Entry{key.Text, key.At, value})
}

// isPlain reports whether text may be unquoted by YAML 1.2.2 §7.3.3. The library
// accepts more, for example comments between the lines of a text.
func isPlain(text string) bool {
	return strings.IndexAny(text, ",[]{}#&*!|>'\"%@`") != 0 && text != "-" && text != "?" &&
		!strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "? ") &&
		!strings.Contains(text, " #") && !strings.Contains(text, ": ") && !strings.HasSuffix(text, ":")
}

func (d *document) scalar(t *token.Token) *Node {
	n := &Node{Kind: Text, Text: t.Value, At: d.place(t)}
	if d.masked[n.At] {
		n.Kind = Broken
		return n
	}
	opening := ""
	switch t.Type {
	case token.SingleQuoteType:
		opening = "'"
	case token.DoubleQuoteType:
		opening = `"`
	case token.ImplicitNullType:
		n.Kind, n.Text = Null, ""
	default:
		n.Kind = resolve(t.Value)
		if !isPlain(t.Value) {
			d.Add(n.At, CodeSyntax, "%s needs quotes; want %s", t.Value, Quote(t.Value))
			n.Kind = Broken
		}
	}
	if strings.HasPrefix(d.line(n.At)[n.At.Column-1:], opening+n.Text+opening) {
		n.inside = n.At.Column + len(opening)
	}
	return n
}

// Find returns the value at a path of keys and indexes, or nil.
func (n *Node) Find(path ...string) *Node {
	for _, step := range path {
		var next *Node
		if i, err := strconv.Atoi(step); err == nil && n.Kind == List && 0 <= i && i < len(n.Items) {
			next = n.Items[i]
		}
		for _, e := range n.Entries {
			if e.Name == step {
				next = e.Value
			}
		}
		if n = next; n == nil {
			return nil
		}
	}
	return n
}

// Point returns the place of a byte of a scalar's text if the file contains the
// text verbatim, else the place of the scalar.
func (n *Node) Point(offset int) Place {
	if offset < 0 || n.inside == 0 {
		return n.At
	}
	return Place{n.At.Line, n.inside + offset}
}
