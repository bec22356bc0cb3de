package keys

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

func statusOf(before, after *node) string {
	switch {
	case before == nil:
		return part.Added
	case after == nil:
		return part.Deleted
	default:
		return part.Modified
	}
}

// maxPointers limits the length of all pointers together: deep keys can repeat long names.
const maxPointers = 32 << 20

// Changed lists the keys whose values differ, each before those inside it, in the order of
// head and then of base. Entries of lists are compared by their index, as are the documents
// of a file.
func Changed(base, head Document) ([]part.Change, error) {
	c := comparison{}
	for i := range max(len(base.roots), len(head.roots)) {
		before, after := entry(base.roots, i), entry(head.roots, i)
		at := part.Place{Line: 1, Column: 1}
		if after != nil {
			at = after.Place
		}
		c.compare(before, after, at)
	}
	if c.bytes > maxPointers {
		return nil, fmt.Errorf("the names of the changed keys have more than %d bytes", maxPointers)
	}
	return c.changes, nil
}

func entry(roots []*node, i int) *node {
	if i < len(roots) {
		return roots[i]
	}
	return nil
}

// comparison collects changed keys.
type comparison struct {
	pointer []byte
	changes []part.Change
	bytes   int // of the pointers
}

// compare compares two values at one pointer; nil is a value that does not exist. It reports
// whether they differ.
func (c *comparison) compare(before, after *node, at part.Place) bool {
	if c.bytes > maxPointers {
		return true
	}
	index, length := len(c.changes), len(c.pointer)
	c.changes = append(c.changes, part.Change{Status: statusOf(before, after), Place: at})
	differs := before == nil || after == nil || before.value != after.value
	if after != nil {
		for _, child := range after.children {
			differs = c.within(child.name, before.child(child.name), child, child.Place) || differs
		}
	}
	if before != nil {
		for _, child := range before.children {
			if after.child(child.name) == nil {
				differs = c.within(child.name, child, nil, at) || differs
			}
		}
	}
	if !differs {
		c.changes = c.changes[:index]
		return false
	}
	c.changes[index].Name = string(c.pointer[:length])
	c.bytes += length
	return true
}

// within compares the values of one key.
func (c *comparison) within(name string, before, after *node, at part.Place) bool {
	length := len(c.pointer)
	c.pointer = append(append(c.pointer, '/'), escape.Replace(name)...)
	differs := c.compare(before, after, at)
	c.pointer = c.pointer[:length]
	return differs
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")
