package keys

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// Key is a key with its place and the last line of its value.
type Key struct {
	part.Place

	Name    string
	Pointer string
	EndLine int
}

// Inside lists the keys directly inside the value at a pointer of the first document, in the order
// of the file.
func (d Document) Inside(pointer string) []Key {
	n := d.at(pointer)
	if n == nil {
		return nil
	}
	keys := make([]Key, 0, len(n.children))
	for _, child := range n.children {
		keys = append(keys, Key{child.Place, child.name, pointer + "/" + escape.Replace(child.name), child.last()})
	}
	return keys
}

// Text returns the value at a pointer of the first document, with all that is in it but what skip
// leaves out, in a form that has neither layout nor the order of keys and of lists.
func (d Document) Text(pointer string, skip func(around, name string) bool) string {
	n := d.at(pointer)
	if n == nil {
		return ""
	}
	return n.whole(skip)
}

func (d Document) at(pointer string) *node {
	if len(d.roots) == 0 {
		return nil
	}
	n := d.roots[0]
	for _, name := range strings.Split(pointer, "/")[1:] {
		n = n.child(unescape.Replace(name))
	}
	return n
}

// last returns the last line on which a key inside the value begins.
func (n *node) last() int {
	line := n.Line
	for _, child := range n.children {
		line = max(line, child.last())
	}
	return line
}

func (n *node) whole(skip func(around, name string) bool) string {
	if n.scalar {
		kind, value, _ := strings.Cut(n.value, " ")
		if kind == "text" || kind == "!!str" {
			return strconv.Quote(value)
		}
		return cmp.Or(value, kind)
	}
	var inside []string
	for _, child := range n.children {
		switch {
		case strings.HasPrefix(n.value, list):
			inside = append(inside, child.whole(skip))
		case !skip(n.name, child.name):
			inside = append(inside, child.name+" : "+child.whole(skip))
		}
	}
	slices.Sort(inside)
	text := strings.Join(inside, " , ")
	if strings.HasPrefix(n.value, list) {
		return "[ " + text + " ]"
	}
	return "{ " + text + " }"
}
