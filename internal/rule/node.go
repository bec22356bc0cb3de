package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// node turns what the library parsed into a node.
func (d *document) node(n ast.Node) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return d.mapping(n, n.Values)
	case *ast.MappingValueNode:
		return d.mapping(n, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		items := &node{kind: list, at: d.place(n.GetToken())}
		for _, item := range n.Values {
			items.items = append(items.items, d.node(item))
		}
		return items
	case *ast.LiteralNode:
		return &node{kind: text, text: n.Value.Value, at: d.place(n.Start)}
	case *ast.StringNode, *ast.NullNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return d.scalar(n.GetToken())
	default:
		// The tokens of all other kinds are forbidden; should one slip through,
		// a rule must not load without it.
		at := d.place(n.GetToken())
		d.add(at, codeYAMLSyntax, "a YAML %s is not allowed", n.Type())
		return &node{kind: broken, at: at}
	}
}

func (d *document) mapping(n ast.Node, values []*ast.MappingValueNode) *node {
	m := &node{kind: mapping, at: d.start(n)}
	flow, ok := n.(*ast.MappingNode)
	inFlow := ok && flow.IsFlowStyle
	if inFlow && flow.End != nil {
		if end := d.place(flow.End); end.line == m.at.line && end.column > m.at.column {
			m.text = d.source[m.at.line-d.first][m.at.column-1 : end.column]
		}
	}
	for _, v := range values {
		key, value := d.node(v.Key), d.node(v.Value)
		if !inFlow && value.at.line > key.at.line && value.at.column <= key.at.column && value.kind != list {
			d.add(value.at, codeYAMLSyntax, "the value of %q starts here; want it indented deeper than its key", key.text)
		}
		d.entry(m, key, value)
	}
	return m
}

// start is where a node begins: of a block mapping the library gives the first
// colon.
func (d *document) start(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return d.start(m.Values[0])
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return d.place(v.Key.GetToken())
	}
	return d.place(n.GetToken())
}

// entry adds a key to a mapping that has it not yet.
func (d *document) entry(m, key, value *node) {
	if value.kind == null && value.text == "" {
		value.at = key.at // the library places what is not there
	}
	first := slices.IndexFunc(m.entries, func(e entry) bool { return e.name == key.text })
	if first >= 0 {
		d.add(key.at, codeDuplicateKey, "key %q is on line %d already", key.text, m.entries[first].at.line)
		return
	}
	m.entries = append(m.entries, entry{key.text, key.at, value})
}

// notPlain is what YAML 1.2.2 §7.3.3 has no unquoted text contain. The library
// lets some of it pass, comments between the lines of a text for one.
var notPlain = regexp.MustCompile("^[,\\[\\]{}#&*!|>'\"%@`]|^[-?:]( |$)| #|: |:$")

func (d *document) scalar(t *token.Token) *node {
	n := &node{kind: text, text: t.Value, at: d.place(t)}
	if d.masked[n.at] {
		n.kind = broken
		return n
	}
	opening := ""
	switch t.Type {
	case token.SingleQuoteType:
		opening = "'"
	case token.DoubleQuoteType:
		opening = `"`
	case token.ImplicitNullType:
		n.kind, n.text = null, ""
	default:
		n.kind = resolve(t.Value)
		if notPlain.MatchString(t.Value) {
			d.add(n.at, codeYAMLSyntax, "%s cannot stand unquoted; quote it: %s", t.Value, quote(t.Value))
			n.kind = broken
		}
	}
	if strings.HasPrefix(d.line(n.at)[n.at.column-1:], opening+n.text+opening) {
		n.inside = n.at.column + len(opening)
	}
	return n
}
