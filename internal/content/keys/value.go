package keys

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// Value is the value of a key that has no keys inside it.
type Value struct {
	Pointer string `json:"pointer"` // as in RFC 6901
	Text    string `json:"text"`    // as it is written, without quotes: 1.10, true
	Value   string `json:"value"`   // with its type, in a form that equal values of one format share
	part.Place
}

// Has reports whether a key exists at a pointer, as RFC 6901 writes it.
func (d Document) Has(pointer string) bool {
	names := strings.Split(pointer, "/")[1:]
	return slices.ContainsFunc(d.roots, func(n *node) bool {
		for _, name := range names {
			if n = n.child(unescape.Replace(name)); n == nil {
				return false
			}
		}
		return true
	})
}

// Index prepares a document for concurrent calls of Has.
func (d Document) Index() {
	for _, root := range d.roots {
		root.index()
	}
}

func (n *node) index() {
	n.child("")
	for _, child := range n.children {
		child.index()
	}
}

// HasAny reports whether a key exists whose pointer matches.
func (d Document) HasAny(match func(pointer string) bool) bool {
	return slices.ContainsFunc(d.roots, func(n *node) bool { return n.hasAny(match, nil) })
}

func (n *node) hasAny(match func(pointer string) bool, pointer []byte) bool {
	if match(string(pointer)) {
		return true
	}
	length := len(pointer)
	return slices.ContainsFunc(n.children, func(child *node) bool {
		return child.hasAny(match, append(append(pointer[:length], '/'), escape.Replace(child.name)...))
	})
}

var unescape = strings.NewReplacer("~0", "~", "~1", "/")

// Values lists the values whose pointers match, in the order of the file.
func (d Document) Values(match func(pointer string) bool) []Value {
	values := []Value{}
	var visit func(n *node, pointer []byte)
	visit = func(n *node, pointer []byte) {
		if n.scalar && match(string(pointer)) {
			values = append(values, Value{string(pointer), n.text, n.value, n.Place})
		}
		length := len(pointer)
		for _, child := range n.children {
			pointer = append(append(pointer[:length], '/'), escape.Replace(child.name)...)
			visit(child, pointer)
		}
	}
	for _, root := range d.roots {
		visit(root, nil)
	}
	return values
}
