package keys

// Value is the value of a key that has no keys inside it.
type Value struct {
	Pointer string `json:"pointer"` // as in RFC 6901
	Text    string `json:"text"`    // as it is written, without quotes: 1.10, true
	Place
}

// Values lists the values whose pointers match, in the order of the file.
func (d Document) Values(match func(pointer string) bool) []Value {
	values := []Value{}
	var visit func(n *node, pointer []byte)
	visit = func(n *node, pointer []byte) {
		if n.scalar && match(string(pointer)) {
			values = append(values, Value{string(pointer), n.text, n.Place})
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
