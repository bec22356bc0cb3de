package install

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// remove drops the entries that run rulecheck as a hook, and what is empty without them. It
// reports whether there are any.
func (d *document) remove(container string) bool {
	object, _ := d.root.Value.(*hujson.Object) // parse accepts nothing else
	marks := make([]bool, len(object.Members))
	edits := len(d.edits)
	for i := range object.Members {
		if m := object.Members[i]; nameOf(m) == container {
			marks[i] = d.empties(m.Value)
		}
	}
	if slices.Contains(marks, true) {
		d.cut(d.root, marks)
	}
	return len(d.edits) > edits
}

// empties drops own entries below a value. It reports whether nothing is left, and leaves
// it to the caller then to drop the value itself.
func (d *document) empties(v hujson.Value) bool {
	var marks []bool
	switch c := v.Value.(type) {
	case *hujson.Array:
		for _, element := range c.Elements {
			_, own := ownEntry(element)
			marks = append(marks, own || d.empties(element))
		}
	case *hujson.Object:
		for _, m := range c.Members {
			gone := d.empties(m.Value)
			if gone && nameOf(m) == "hooks" && member(c, "hooks") != nil && m.Value.Value.Kind() == '[' {
				return true // a group: its matcher is of no use alone
			}
			marks = append(marks, gone)
		}
	}
	switch {
	case !slices.Contains(marks, true):
		return false
	case !slices.Contains(marks, false):
		return true
	}
	d.cut(v, marks)
	return false
}

// cut drops the marked items of a composite, as insert would have added them.
func (d *document) cut(v hujson.Value, marks []bool) {
	list, trailing := items(v)
	kept := len(marks) - 1
	for kept >= 0 && marks[kept] {
		kept--
	}
	for i, it := range list {
		comma := it.end + len(it.after) // only of those that have one
		switch {
		case marks[i]:
			space := len(it.before) - len(bytes.TrimRight(it.before, " \t\r\n"))
			if nextGoes := i+1 < len(list) && marks[i+1]; endsInLineComment(it.before) && (nextGoes || !d.lineEndsAfter(comma)) {
				space = 0 // the line break ends the comment
			}
			d.edits = append(d.edits, edit{at: it.start - space, drop: it.end - it.start + space})
			if i < len(list)-1 || trailing {
				d.edits = append(d.edits, edit{at: comma, drop: 1})
			}
		case i == kept && i < len(list)-1 && !trailing:
			d.edits = append(d.edits, edit{at: comma, drop: 1})
		}
	}
}

// endsInLineComment reports whether the last of white space and comments may be a comment
// that a line break ends.
func endsInLineComment(extra hujson.Extra) bool {
	text := bytes.TrimRight(extra, " \t\r\n")
	return bytes.Contains(text[bytes.LastIndexByte(text, '\n')+1:], []byte("//"))
}

// lineEndsAfter reports whether a line break follows the item that ends at an offset.
func (d *document) lineEndsAfter(at int) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(d.text[at:], []byte(",")), " \t\r")
	return bytes.HasPrefix(rest, []byte("\n"))
}

// only reports whether a document has nothing but the members with these names, and no
// comments.
func (d *document) only(names ...string) bool {
	object, _ := d.root.Value.(*hujson.Object)
	for _, m := range object.Members {
		if !slices.Contains(names, nameOf(m)) {
			return false
		}
	}
	return d.root.IsStandard() // without comments
}
